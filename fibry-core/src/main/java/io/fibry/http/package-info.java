/**
 * An HTTP server whose requests are handled by actors: {@link io.fibry.http.HttpServerActor}.
 *
 * <p>Stability: stable.
 *
 * @since 0.1
 */
@NullMarked
package io.fibry.http;

import org.jspecify.annotations.NullMarked;
