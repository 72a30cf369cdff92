/**
 * Support for tests of actors, with virtual time and repeatable schedules. Start with {@link io.fibry.test.TestSystem}
 * and {@link io.fibry.test.ActorTest}.
 *
 * <p>Stability: stable.
 *
 * @since 0.1
 */
@NullMarked
package io.fibry.test;

import org.jspecify.annotations.NullMarked;
