package io.fibry.kotlin

import io.fibry.dispatch.Alarm
import io.fibry.dispatch.Control
import java.util.concurrent.CancellationException
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.resume
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.Delay
import kotlinx.coroutines.DisposableHandle
import kotlinx.coroutines.InternalCoroutinesApi
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.yield

/**
 * The time of `delay` and `withTimeout` in a test with a `TestSystem`: that of its [Control], like the timers of
 * actors. Dispatchers of actors have it only there. A program uses the time of kotlinx.coroutines.
 */
@OptIn(InternalCoroutinesApi::class)
internal object AlarmDelay : Delay {

    override fun scheduleResumeAfterDelay(timeMillis: Long, continuation: CancellableContinuation<Unit>) {
        val alarm = start(timeMillis) { continuation.resume(Unit) }
        continuation.invokeOnCancellation { alarm.cancel() }
    }

    override fun invokeOnTimeout(timeMillis: Long, block: Runnable, context: CoroutineContext): DisposableHandle {
        val alarm = start(timeMillis, block)
        return DisposableHandle { alarm.cancel() }
    }

    private fun start(millis: Long, action: Runnable): Alarm =
        Alarm().apply { start(TimeUnit.MILLISECONDS.toNanos(millis), action) }
}

/** A dispatcher whose steps are run by actors, or by a handler. */
internal interface OfActors

/**
 * Waits for a future in a test, if the calling coroutine belongs to another event loop, such as that of `runTest` or
 * `runBlocking`. Actors run only while the thread waits by its [Control]: if the coroutine suspended, its event loop
 * would park the thread, and no actor would run. Before the wait, the other coroutines of the loop continue, so that
 * they can make their requests.
 *
 * Returns early, with an interrupt status, if the wait is interrupted. The caller then suspends, and the event loop
 * sees the interrupt.
 */
internal suspend fun awaitUnderControl(future: CompletableFuture<*>) {
    if (Control.ofCurrentThread() == null || currentCoroutineContext()[ContinuationInterceptor] is OfActors) {
        return
    }
    try {
        yield()
    } catch (e: CancellationException) {
        future.cancel(false)
        throw e
    }
    Control.await(future, Control.FOREVER, true, "a reply")
}
