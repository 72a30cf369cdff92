/** The actors, their mailboxes, asks, supervision and system. Not exported. */
@NullMarked
package io.fibry.kernel;

import org.jspecify.annotations.NullMarked;
