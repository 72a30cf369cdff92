/** Servers under external load: each server and each client is a separate process. */
@NullMarked
package io.fibry.bench.net;

import org.jspecify.annotations.NullMarked;
