/**
 * Actors that run a task by a {@link io.fibry.schedule.Timetable}; the entry point is {@code Stereotypes.schedule}.
 *
 * <p>Stability: stable.
 *
 * @since 0.1
 */
@NullMarked
package io.fibry.schedule;

import org.jspecify.annotations.NullMarked;
