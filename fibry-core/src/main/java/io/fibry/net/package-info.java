/**
 * Network servers as actors: {@link io.fibry.net.TcpAcceptor}, with {@link io.fibry.net.TcpForwarder} and
 * {@link io.fibry.net.LineServer} on top of it, and {@link io.fibry.net.UdpServer}.
 *
 * <p>Stability: stable.
 *
 * @since 0.1
 */
@NullMarked
package io.fibry.net;

import org.jspecify.annotations.NullMarked;
