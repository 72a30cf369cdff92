/** WebSocket, HTTP/2 and server-sent events for actors, on Helidon's web server. */
@NullMarked
package io.fibry.helidon;

import org.jspecify.annotations.NullMarked;
