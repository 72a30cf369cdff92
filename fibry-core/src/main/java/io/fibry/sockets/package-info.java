/** Internal code shared by the servers of {@code io.fibry.net} and {@code io.fibry.http}. */
@NullMarked
package io.fibry.sockets;

import org.jspecify.annotations.NullMarked;
