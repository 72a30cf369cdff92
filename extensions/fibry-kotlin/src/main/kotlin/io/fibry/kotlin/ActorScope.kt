package io.fibry.kotlin

import io.fibry.Actor
import io.fibry.dispatch.LogText
import java.util.concurrent.RejectedExecutionException
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineExceptionHandler
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.cancel
import kotlinx.coroutines.job
import org.slf4j.LoggerFactory

/**
 * Returns a scope whose coroutines run inside this actor, on its [dispatcher][asCoroutineDispatcher], and end with it.
 * The scope is cancelled after the last message of the actor. The actor ends when the coroutines have completed: their
 * `finally` blocks still run inside the actor. `close` therefore waits for them, and `stop(StopMode.INTERRUPT)` ends
 * this wait. A coroutine that resumes after a stop, while the actor drains, also waits for the last message.
 *
 * An exception of a coroutine is treated like a failure of the behavior: it is logged with the actor's name, and the
 * supervision of the actor decides. The other coroutines continue. A failure of `async` is thrown by its `await`.
 *
 * Create one scope per actor, for instance in its factory: the actor keeps each scope until its end.
 *
 * @throws IllegalArgumentException if the mailbox has a limit or a priority: see [asCoroutineDispatcher]
 */
public fun Actor<*>.asCoroutineScope(): CoroutineScope {
    val dispatcher = dispatcherOf(this)
    val scope = CoroutineScope(SupervisorJob() + dispatcher + InScope(dispatcher) + failures(this))
    closeOnExit(
        AutoCloseable {
            scope.cancel(CancellationException("actor ${LogText.plain(name())} has ended"))
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
        LOG.error("a coroutine of actor {} has failed after the actor was stopped", LogText.plain(actor.name()), failure)
    }
}
