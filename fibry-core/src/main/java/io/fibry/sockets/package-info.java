/** What the servers of {@code io.fibry.net} and {@code io.fibry.http} have in common. */
@NullMarked
package io.fibry.sockets;

import org.jspecify.annotations.NullMarked;
