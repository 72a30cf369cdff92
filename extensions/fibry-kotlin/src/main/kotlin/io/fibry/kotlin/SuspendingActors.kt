package io.fibry.kotlin

import io.fibry.Actor
import io.fibry.ActorBuilder
import io.fibry.ActorContext
import io.fibry.ReplyActor
import io.fibry.ReplyContext
import io.fibry.ThrowingConsumer
import io.fibry.ThrowingFunction

/**
 * Creates an actor whose behavior is a suspending function. The actor handles one message at a time, also while the
 * function is suspended: the next message begins when the function has returned, and all coroutines that it has started
 * in its own scope have completed.
 *
 * The function runs inside the actor, also after a suspension: its steps happen one after the other, and each sees the
 * effects of those before. No thread waits during a suspension. With virtual threads, a step may therefore run on
 * another thread than the step before; an actor with its own platform thread always resumes on it. Stops, failures,
 * supervision, replies and dumps work as for other behaviors. A stop with [INTERRUPT][io.fibry.StopMode.INTERRUPT]
 * cancels the coroutine, which then fails with [InterruptedException]. The close of the system waits for suspended
 * behaviors, and the JVM stays alive meanwhile.
 */
public fun <B : Any, M : B> ActorBuilder<B>.onMessage(behavior: suspend (M) -> Unit): Actor<M> =
    newActor(consumer(behavior))

/**
 * Creates an actor whose behavior is a suspending function, with a factory that gets the actor's context. The factory
 * itself does not suspend. It runs during this call, and again at each restart. Otherwise like [onMessage].
 */
public fun <B : Any, M : B> ActorBuilder<B>.onMessageFrom(
    factory: (ActorContext<M>) -> suspend (M) -> Unit
): Actor<M> = newActorFrom { context: ActorContext<M> -> consumer(factory(context)) }

/**
 * Creates an actor that replies with the result of a suspending function. Exceptions of the function go to the asker.
 * Otherwise like [onMessage].
 */
public fun <B : Any, M : B, R> ActorBuilder<B>.onRequest(
    behavior: suspend (M) -> R
): ReplyActor<M, R> = newActorWithReturn(function(behavior))

/**
 * Creates an actor that replies, with a factory of its suspending behavior. Otherwise like [onMessageFrom].
 */
public fun <B : Any, M : B, R> ActorBuilder<B>.onRequestFrom(
    factory: (ReplyContext<M, R>) -> suspend (M) -> R
): ReplyActor<M, R> = newActorWithReturnFrom { context: ReplyContext<M, R> -> function(factory(context)) }

private fun <M : Any> consumer(behavior: suspend (M) -> Unit) =
    ThrowingConsumer<M> { message -> MessageLoop.create().begin(message, behavior) }

@Suppress("UNCHECKED_CAST") // the result of the behavior, or the mark of a suspended handler
private fun <M : Any, R> function(behavior: suspend (M) -> R) =
    ThrowingFunction<M, R> { message -> MessageLoop.create().begin(message, behavior) as R }
