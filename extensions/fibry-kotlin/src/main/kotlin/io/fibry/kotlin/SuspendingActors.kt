package io.fibry.kotlin

import io.fibry.Actor
import io.fibry.ActorBuilder
import io.fibry.ActorContext
import io.fibry.ReplyActor
import io.fibry.ReplyContext
import io.fibry.ThrowingConsumer
import io.fibry.ThrowingFunction

/**
 * Makes an actor whose behavior is a suspending function. It handles one message at a time, also while it is suspended: the next one
 * begins when the function has returned, and all coroutines that it has started in its own scope have ended.
 *
 * The function runs on the actor's current thread, and comes back to it after each suspension. Meanwhile the thread waits, so a
 * suspended handler costs a virtual thread, as one that blocks. All that holds for other behaviors holds for this one: stops, failures,
 * supervision, replies, dumps. A stop with [INTERRUPT][io.fibry.StopMode.INTERRUPT] cancels the coroutine; it then fails with
 * [InterruptedException].
 */
public fun <B : Any, M : B> ActorBuilder<B>.newSuspendingActor(behavior: suspend (M) -> Unit): Actor<M> =
    newActor(consumer(behavior))

/**
 * Makes an actor whose behavior is a suspending function, by a factory that gets the actor's context. The factory itself does not
 * suspend. It runs here for the first time, and again whenever the actor restarts. Otherwise as [newSuspendingActor].
 */
public fun <B : Any, M : B> ActorBuilder<B>.newSuspendingActorFrom(
    factory: (ActorContext<M>) -> suspend (M) -> Unit
): Actor<M> = newActorFrom { context: ActorContext<M> -> consumer(factory(context)) }

/**
 * Makes an actor that replies with the result of a suspending function. What the function throws goes to the asker. Otherwise as
 * [newSuspendingActor].
 */
public fun <B : Any, M : B, R> ActorBuilder<B>.newSuspendingActorWithReturn(
    behavior: suspend (M) -> R
): ReplyActor<M, R> = newActorWithReturn(function(behavior))

/** Makes an actor that replies, by a factory of its suspending behavior. Otherwise as [newSuspendingActorFrom]. */
public fun <B : Any, M : B, R> ActorBuilder<B>.newSuspendingActorWithReturnFrom(
    factory: (ReplyContext<M, R>) -> suspend (M) -> R
): ReplyActor<M, R> = newActorWithReturnFrom { context: ReplyContext<M, R> -> function(factory(context)) }

private fun <M : Any> consumer(behavior: suspend (M) -> Unit) =
    ThrowingConsumer<M> { message -> MessageLoop().run { behavior(message) } }

private fun <M : Any, R> function(behavior: suspend (M) -> R) =
    ThrowingFunction<M, R> { message -> MessageLoop().run { behavior(message) } }
