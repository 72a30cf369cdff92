/**
 * WebSocket, HTTP/2 and server-sent events for actors, on Helidon's web server.
 *
 * <p>Stability: preview.
 *
 * @since 0.1
 */
@NullMarked
package io.fibry.helidon;

import org.jspecify.annotations.NullMarked;
