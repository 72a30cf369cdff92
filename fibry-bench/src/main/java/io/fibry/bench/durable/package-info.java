/**
 * Durable entities next to other ways to store events: Pekko Persistence, and plain JDBC without actors. All of them
 * store the deposits of accounts, as the same bytes and in the same database. Each peer runs in a separate JVM.
 */
@NullMarked
package io.fibry.bench.durable;

import org.jspecify.annotations.NullMarked;
