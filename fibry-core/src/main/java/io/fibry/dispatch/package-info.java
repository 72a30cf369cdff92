/**
 * Runs ready actors on threads. This package knows an actor only as a {@link io.fibry.dispatch.ScheduledActor}, and the
 * actor system only as a {@link io.fibry.dispatch.DispatchListener}. Of the library, it imports only the events of
 * {@code io.fibry.flight}. It is exported to the modules of this project.
 *
 * <p>A {@link io.fibry.dispatch.Dispatcher} takes ready actors and runs their turns; there is one kind for each thread
 * strategy. A {@link io.fibry.dispatch.ActorThread} represents the thread of a turn. {@link io.fibry.dispatch.Alarm} is
 * the only timer of the library.
 *
 * <p>Two proofs: {@link io.fibry.dispatch.WorkerScheduler} shows that no ready actor is missed. {@link
 * io.fibry.dispatch.ActorThread} shows how a stop reaches a turn, and why an interrupt never reaches the wrong actor.
 */
@NullMarked
package io.fibry.dispatch;

import org.jspecify.annotations.NullMarked;
