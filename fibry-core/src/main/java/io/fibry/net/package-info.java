/** Actors that serve the network: {@link io.fibry.net.TcpAcceptor} and {@link io.fibry.net.HttpServerActor}. */
@NullMarked
package io.fibry.net;

import org.jspecify.annotations.NullMarked;
