/**
 * Publish-subscribe between actors: {@link io.fibry.topic.Topic}. The entry point is {@code Stereotypes.topic}.
 *
 * <p>Stability: stable.
 *
 * @since 0.1
 */
@NullMarked
package io.fibry.topic;

import org.jspecify.annotations.NullMarked;
