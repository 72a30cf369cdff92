/** The compared libraries, each behind the same small interface. */
@NullMarked
package io.fibry.bench.peers;

import org.jspecify.annotations.NullMarked;
