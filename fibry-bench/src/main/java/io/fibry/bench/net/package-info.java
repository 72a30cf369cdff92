/** Servers that are loaded from outside: each server and each client is a process of its own. */
@NullMarked
package io.fibry.bench.net;

import org.jspecify.annotations.NullMarked;
