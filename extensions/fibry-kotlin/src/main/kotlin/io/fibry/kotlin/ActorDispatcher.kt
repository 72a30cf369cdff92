package io.fibry.kotlin

import io.fibry.Actor
import io.fibry.dispatch.Control
import io.fibry.dispatch.LogText
import io.fibry.dispatch.Time
import io.fibry.dispatch.Worker
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.RejectedExecutionException
import java.util.concurrent.locks.LockSupport
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Delay
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.InternalCoroutinesApi
import kotlinx.coroutines.Job
import kotlinx.coroutines.cancel

/**
 * Returns a dispatcher whose coroutines run inside this actor, like code passed to [execute][Actor.execute]: never at
 * the same time as a handler, and in order with the messages that the same thread sends. They may therefore use the
 * actor's state. Between the steps of a coroutine, the actor handles other messages.
 *
 * After a stop, the actor refuses new steps. A coroutine that resumes after the stop is cancelled, and its step runs at
 * the end of the actor, after the last message. A coroutine that resumes after the end is also cancelled, and runs on
 * [Dispatchers.IO], one step at a time. As with an executor that was shut down, this also cancels code in
 * `NonCancellable`. If the coroutines have to suspend during cleanup, use [asCoroutineScope].
 *
 * Create one dispatcher per actor, not one per coroutine: the actor keeps each dispatcher until its end.
 *
 * @throws IllegalArgumentException if the mailbox has a limit or a priority: it could drop a step, and the coroutine
 * would never end
 */
public fun Actor<*>.asCoroutineDispatcher(): CoroutineDispatcher =
    dispatcherOf(this).also { closeOnExit(AutoCloseable { it.end() }) }

internal fun dispatcherOf(actor: Actor<*>): ActorDispatcher {
    require(!actor.countsMailbox()) {
        "actor ${LogText.plain(actor.name())} has a mailbox with a limit or a priority, which could drop or delay coroutines: make another" +
            " actor, and let the two send messages to each other"
    }
    return if (Control.ofCurrentThread() == null) ActorDispatcher(actor) else ControlledActorDispatcher(actor)
}

/**
 * **Each step runs exactly once, even if the actor drops it.** A set contains all steps that have not begun. A step is
 * run by the caller that removes it from the set: the message in the actor's mailbox, the end of the actor, or the
 * dispatcher after the end. A step is first added to the set; then the actor accepts it, refuses it, or accepts it and
 * makes it a dead letter. The end sets `ended`, and then traverses the set once more. The sender adds the step before
 * it reads `ended`. Therefore either the end finds the step, or the sender sees the end. An accepted
 * step has been run or dropped before the end, which finds it in the second case.
 *
 * **Steps never overlap.** The end runs all steps that it finds before it sets `ended`; later steps go to a dispatcher
 * that runs one step at a time. The dispatcher of a scope also ends at a restart. The actor then continues, so messages
 * of former steps may still arrive: they do nothing. After an interrupt or the grace of a restart, steps of the former
 * behavior may run beside the new one, on [Dispatchers.IO].
 */
internal open class ActorDispatcher(private val actor: Actor<*>) : CoroutineDispatcher(), OfActors {

    private val waiting = ConcurrentHashMap.newKeySet<Step>()
    private val afterEnd = Dispatchers.IO.limitedParallelism(1)

    /** Whether steps no longer run inside the actor. */
    @Volatile
    var ended = false
        private set

    /**
     * The thread that waits for steps at the end of the actor or at a restart. It is written before the thread reads
     * the set; senders read it after they have added a step.
     */
    @Volatile private var endingThread: Thread? = null

    /** A message to the actor. */
    private inner class Step(val context: CoroutineContext, val block: Runnable) : Runnable {
        override fun run() {
            if (!ended) {
                runOnce()
            }
        }

        fun runOnce() {
            if (waiting.remove(this)) {
                block.run()
            }
        }
    }

    override fun dispatch(context: CoroutineContext, block: Runnable) {
        val step = Step(context, block)
        waiting.add(step)
        try {
            actor.execute(step)
        } catch (e: RejectedExecutionException) {
            cancel(step, e)
        }
        if (ended) runAfterEnd(step) else LockSupport.unpark(endingThread)
    }

    private fun runAfterEnd(step: Step) {
        cancel(step, null)
        afterEnd.dispatch(step.context, Runnable { step.runOnce() })
    }

    /**
     * Cancels the coroutine of a step, unless it belongs to the actor's scope. The scope is cancelled as a whole:
     * cancelling the job of each step would also cancel code in `NonCancellable`, which has its own job.
     */
    private fun cancel(step: Step, cause: RejectedExecutionException?) {
        if (step.context[InScope]?.dispatcher !== this) {
            step.context.cancel(CancellationException("actor ${LogText.plain(actor.name())} has been stopped", cause))
        }
    }

    /**
     * Runs present and future steps until the job has completed, the thread is interrupted, or the deadline is over, a
     * value of [Time.nanos]. Called by the thread that ends or restarts the actor.
     *
     * @return whether the job has completed
     */
    fun runUntilCompleted(job: Job, deadline: Long?): Boolean {
        val thread = Thread.currentThread()
        endingThread = thread
        val wakeUp = job.invokeOnCompletion { LockSupport.unpark(thread) }
        while (!job.isCompleted) {
            val hasRun = runWaiting()
            val nanos = if (deadline == null) Control.FOREVER else deadline - Time.nanos()
            if (nanos <= 0 || (!hasRun && thread.isInterrupted)) {
                break
            }
            if (!hasRun) {
                parkHandler(this, nanos) { job.isCompleted || waiting.isNotEmpty() }
            }
        }
        wakeUp.dispose()
        return job.isCompleted
    }

    /** Runs the remaining steps and redirects later ones. Called by the thread that ends or restarts the actor. */
    fun end() {
        while (runWaiting()) {
            // a step may dispatch another one
        }
        redirect()
    }

    /** Redirects the remaining steps and later ones. Called like [end]. */
    fun redirect() {
        ended = true
        endingThread = null // after a restart, the thread does other work: later senders must not unpark it
        waiting.forEach(::runAfterEnd)
    }

    private fun runWaiting(): Boolean {
        var some = false
        for (step in waiting) {
            some = true
            cancel(step, null)
            step.runOnce()
        }
        return some
    }

    override fun toString(): String = "dispatcher of ${actor.name()}"
}

/** The dispatcher of a test: `delay` and `withTimeout` follow the virtual time. */
@OptIn(InternalCoroutinesApi::class)
private class ControlledActorDispatcher(actor: Actor<*>) : ActorDispatcher(actor), Delay by AlarmDelay

/** Marks the coroutines of an actor's scope, also if they run under another job. */
internal class InScope(val dispatcher: ActorDispatcher) : AbstractCoroutineContextElement(InScope) {
    companion object Key : CoroutineContext.Key<InScope>
}

/**
 * Parks the thread of a handler for at most this time; it may return early. The thread first hands over the actors that
 * it has made ready, which must not wait for it. In a test, other actors run until the condition holds.
 */
private fun parkHandler(blocker: Any, nanos: Long, condition: () -> Boolean) {
    val control = Control.ofCurrentThread()
    if (control != null) {
        control.await(condition, nanos, true, "its suspended coroutine")
        return
    }
    Worker.beforeWait()
    if (nanos == Control.FOREVER) {
        LockSupport.park(blocker)
    } else {
        LockSupport.parkNanos(blocker, nanos)
    }
}
