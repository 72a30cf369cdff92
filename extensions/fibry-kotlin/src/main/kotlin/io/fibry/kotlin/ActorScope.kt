package io.fibry.kotlin

import io.fibry.Actor
import java.util.concurrent.RejectedExecutionException
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineExceptionHandler
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.cancel
import kotlinx.coroutines.job
import org.slf4j.LoggerFactory

/**
 * A scope whose coroutines run inside this actor, on its [dispatcher][asCoroutineDispatcher], and end with it. When the actor has handled
 * its last message, the scope is cancelled. The actor ends when its coroutines have completed: their `finally` blocks still run inside
 * the actor. So `close` waits for them, and `stop(StopMode.INTERRUPT)` ends that wait. A coroutine that wants to go on after a stop, while
 * the actor drains, waits for the last message, too.
 *
 * What a coroutine throws is treated like a failure of the behavior: it is logged with the actor's name, and its supervision decides. The
 * other coroutines go on. A failure of `async` goes to its `await`.
 *
 * Make it once for an actor, in its factory for instance: the actor keeps it until its end.
 *
 * @throws IllegalArgumentException if the mailbox has a limit or a priority: see [asCoroutineDispatcher]
 */
public fun Actor<*>.asCoroutineScope(): CoroutineScope {
    val dispatcher = dispatcherOf(this)
    val scope = CoroutineScope(SupervisorJob() + dispatcher + InScope(dispatcher) + failures(this))
    closeOnExit(
        AutoCloseable {
            scope.cancel(CancellationException("actor ${name()} has ended"))
            dispatcher.runUntilCompleted(scope.coroutineContext.job)
            dispatcher.end()
        }
    )
    return scope
}

private val LOG = LoggerFactory.getLogger("io.fibry.kotlin")

private fun failures(actor: Actor<*>) = CoroutineExceptionHandler { _, failure ->
    try {
        actor.execute { throw failure }
    } catch (_: RejectedExecutionException) {
        LOG.error("a coroutine of actor {} has failed after the actor was stopped", actor.name(), failure)
    }
}
