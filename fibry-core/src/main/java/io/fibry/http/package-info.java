/** An HTTP server whose requests are handled by actors: {@link io.fibry.http.HttpServerActor}. */
@NullMarked
package io.fibry.http;

import org.jspecify.annotations.NullMarked;
