package io.fibry.kotlin

import io.fibry.Actor
import io.fibry.dispatch.BehaviorResource
import io.fibry.dispatch.LogText
import java.util.concurrent.RejectedExecutionException
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineExceptionHandler
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
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
 * A scope that the factory or a handler of the actor creates belongs to the behavior: a restart cancels it, like the
 * end, and waits for its coroutines before the factory runs again. Their `finally` blocks run on the thread that
 * restarts the actor: that of the actor, or that of its supervisor. The restart waits for at most a second, because the
 * coroutines may await a reply of an actor that continues only after the restart. Later steps run on [Dispatchers.IO],
 * one at a time, beside the new behavior. Exceptions during and after the restart are only logged. A scope that other
 * code creates is not affected by restarts.
 *
 * Create one scope per actor, or one per behavior in its factory: the actor keeps each scope until its end, or until
 * the restart.
 *
 * @throws IllegalArgumentException if the mailbox has a limit or a priority: see [asCoroutineDispatcher]
 */
public fun Actor<*>.asCoroutineScope(): CoroutineScope {
    val dispatcher = dispatcherOf(this)
    val job = SupervisorJob()
    val scope = CoroutineScope(job + dispatcher + InScope(dispatcher) + failures(this, dispatcher))
    closeOnExit(ScopeResource(this, scope, dispatcher))
    return scope
}

private val LOG = LoggerFactory.getLogger("io.fibry.kotlin")

/** Ends a scope with its behavior, or with the actor. */
private class ScopeResource(
    private val actor: Actor<*>,
    private val scope: CoroutineScope,
    private val dispatcher: ActorDispatcher,
) : BehaviorResource {

    override fun close() {
        end(null)
    }

    override fun closeAtRestart(deadline: Long) {
        if (!end(deadline) && !Thread.currentThread().isInterrupted) {
            val name = LogText.plain(actor.name())
            LOG.warn("coroutines of actor {} have not completed in time, and continue after its restart", name)
        }
    }

    /** Returns false if coroutines continue. */
    private fun end(deadline: Long?): Boolean {
        scope.cancel(CancellationException("actor ${LogText.plain(actor.name())} has ended or is restarted"))
        val completed = dispatcher.runUntilCompleted(scope.coroutineContext.job, deadline)
        if (completed) dispatcher.end() else dispatcher.redirect()
        return completed
    }
}

/** Passes failures to the actor, unless the dispatcher has ended with the actor or with a former behavior. */
private fun failures(actor: Actor<*>, dispatcher: ActorDispatcher) = CoroutineExceptionHandler { _, failure ->
    try {
        actor.execute { if (dispatcher.ended) logAfterEnd(actor, failure) else throw failure }
    } catch (_: RejectedExecutionException) {
        logAfterEnd(actor, failure)
    }
}

private fun logAfterEnd(actor: Actor<*>, failure: Throwable) {
    val name = LogText.plain(actor.name())
    LOG.error("a coroutine of actor {} has failed after the actor was stopped or restarted", name, failure)
}
