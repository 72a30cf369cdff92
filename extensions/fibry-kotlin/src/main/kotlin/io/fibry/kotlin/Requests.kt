package io.fibry.kotlin

import io.fibry.Actor
import io.fibry.ActorExit
import io.fibry.BehaviorCancelledException
import io.fibry.ReplyActor
import io.fibry.ReplyTo
import io.fibry.Sink
import java.util.concurrent.CancellationException
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ExecutionException
import kotlin.coroutines.resume
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.suspendCancellableCoroutine

/**
 * Asks, and suspends until the reply arrives. If the behavior throws, this function throws the same exception object,
 * without a wrapper. A suppressed exception of it has the frames of this coroutine: its stack trace also shows where
 * the request was made. The only exception to this rule is a [CancellationException], for instance of `withTimeout` in
 * a suspending behavior: it would cancel this coroutine, and is therefore thrown as the cause of a
 * [BehaviorCancelledException]. A `CancellationException` of this function means that this coroutine is cancelled.
 *
 * If the coroutine is cancelled, the ask is cancelled too: a message that is still in the mailbox is skipped. A running
 * handler continues, and its reply is dropped. A coroutine that is already cancelled sends no message.
 *
 * If the mailbox is full and its policy is [BLOCK][io.fibry.Overflow.BLOCK], the thread waits for room, as
 * with `ask`: run such requests on [Dispatchers.Virtual][Virtual].
 *
 * @throws io.fibry.ActorStoppedException if the actor has been stopped, or is stopped before it replies
 * @throws BehaviorCancelledException if the behavior throws a [CancellationException]
 * @throws io.fibry.MailboxFullException if a full mailbox refuses or drops the message
 */
public suspend fun <M : Any, R> ReplyActor<M, R>.request(message: M): R {
    currentCoroutineContext().ensureActive()
    return replyOf(ask(message))
}

/**
 * Like [request], with a time limit that includes the wait for room in a full mailbox.
 *
 * @throws io.fibry.AskTimeoutException if there is no reply in time. It contains the position of the message and the
 * message that the actor was handling. A message that is still in the mailbox is skipped
 */
public suspend fun <M : Any, R> ReplyActor<M, R>.request(message: M, timeout: Duration): R {
    currentCoroutineContext().ensureActive()
    return replyOf(ask(message, timeout.toJavaDuration()))
}

/**
 * Sends a message that carries the address for its reply, and suspends until a reply arrives. Otherwise like the other
 * forms.
 *
 * @param message creates the message; called once, by this coroutine
 * @throws io.fibry.AskTimeoutException if there is no reply in time
 */
public suspend fun <M : Any, R> Actor<M>.request(timeout: Duration, message: (ReplyTo<R>) -> M): R {
    currentCoroutineContext().ensureActive()
    return replyOf(ask(message, timeout.toJavaDuration()))
}

/**
 * Queries the state: runs the function inside the actor, and suspends until it has returned. The result must not be a
 * mutable part of the state: return a copy or a value. Otherwise like the other forms.
 */
public suspend fun <S, R> Sink<S>.request(question: (S) -> R): R {
    currentCoroutineContext().ensureActive()
    return replyOf(ask(question))
}

/** Suspends until the actor has ended, and returns its exit. This function does not stop the actor. */
public suspend fun Actor<*>.awaitExit(): ActorExit = ExitWaits.of(this).await()

/**
 * Suspends until the future completes. The continuation is never resumed with an exception, which coroutines would copy
 * for stack trace recovery. Instead, it reads the future when it runs. The continuation is always resumed: the future
 * calls back in every case, at once if it is complete.
 *
 * Only this coroutine cancels the future of an actor of this library. Another implementation of [ReplyActor] may cancel
 * its futures.
 */
internal suspend fun <R> replyOf(future: CompletableFuture<R>): R {
    if (!future.isDone && !MessageLoop.beforeWait(future)) {
        awaitUnderControl(future)
        suspendCancellableCoroutine { waiting ->
            waiting.invokeOnCancellation { future.cancel(false) }
            future.whenComplete { _, _ -> waiting.resume(Unit) }
        }
    }
    val failure =
        try {
            return future.get()
        } catch (e: ExecutionException) {
            e.cause ?: e
        } catch (e: CancellationException) {
            e
        }
    if (failure is CancellationException) {
        currentCoroutineContext().ensureActive()
    }
    val thrown = BehaviorCancelledException.asFailure(failure)
    thrown.addRequestSite()
    throw thrown
}
