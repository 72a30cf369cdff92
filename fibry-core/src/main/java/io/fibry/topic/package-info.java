/** Messages to any number of actors: {@link io.fibry.topic.Topic}; the entry point is {@code Stereotypes.topic}. */
@NullMarked
package io.fibry.topic;

import org.jspecify.annotations.NullMarked;
