/**
 * How late messages are handled when they come at a fixed rate, and how late others run beside actors that never rest. Each
 * peer runs in a JVM of its own.
 */
@NullMarked
package io.fibry.bench.latency;

import org.jspecify.annotations.NullMarked;
