/**
 * Latencies of messages that arrive at a fixed rate, and delays of other threads and actors while some actors are
 * always busy. Each peer runs in a separate JVM.
 */
@NullMarked
package io.fibry.bench.latency;

import org.jspecify.annotations.NullMarked;
