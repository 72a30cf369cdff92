/**
 * Tests of actors with a time of their own, and with schedules that can be repeated. Begin with {@link io.fibry.test.TestSystem} and
 * {@link io.fibry.test.ActorTest}.
 */
@NullMarked
package io.fibry.test;

import org.jspecify.annotations.NullMarked;
