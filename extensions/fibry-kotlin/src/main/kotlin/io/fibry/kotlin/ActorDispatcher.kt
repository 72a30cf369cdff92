package io.fibry.kotlin

import io.fibry.Actor
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.RejectedExecutionException
import java.util.concurrent.locks.LockSupport
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.cancel

/**
 * A dispatcher whose coroutines run inside this actor, as code for [execute][Actor.execute]: never at the same time as a handler, and in
 * order with the messages that the same thread sends. So they may use the actor's state. Between the steps of a coroutine, the actor
 * handles other messages.
 *
 * From the moment of a stop the actor refuses new steps. A coroutine that wants to go on is then cancelled, and the step waits for the
 * end of the actor, which runs it after its last message. A coroutine that wants to go on after the end is cancelled, too, and runs on
 * [Dispatchers.IO], one step at a time. As with an executor that was shut down, this also cancels what is under `NonCancellable`. If the
 * coroutines have to suspend while they clean up, use [asCoroutineScope].
 *
 * Make it once for an actor, not for each coroutine: the actor keeps it until its end.
 *
 * @throws IllegalArgumentException if the mailbox has a limit or a priority: it could drop a step, and the coroutine would never end
 */
public fun Actor<*>.asCoroutineDispatcher(): CoroutineDispatcher =
    dispatcherOf(this).also { closeOnExit(AutoCloseable { it.end() }) }

internal fun dispatcherOf(actor: Actor<*>): ActorDispatcher {
    require(!actor.hasRoomOfItsOwn()) {
        "actor ${actor.name()} has a mailbox with a limit or a priority, which could drop or delay coroutines: make another" +
            " actor, and let the two send messages to each other"
    }
    return ActorDispatcher(actor)
}

/**
 * **Each step runs once, also if the actor drops it.** All steps that have not begun are in a set. Whoever removes a step from the set
 * runs it: the message in the actor's mailbox, the end of the actor, or what comes after the end. A step is added first; then the actor
 * accepts it, refuses it, or accepts it and makes it a dead letter. The end sets `ended`, and then goes through the set once more. The
 * sender of a refused step reads `ended` after it has added the step. So either the end finds the step, or the sender sees the end.
 * A step that was accepted is run or dropped before the end, which then finds it.
 *
 * **Steps never overlap.** The end first runs all steps that it finds, and then sets `ended`. From then on they have a dispatcher that
 * runs one at a time.
 */
internal class ActorDispatcher(private val actor: Actor<*>) : CoroutineDispatcher() {

    private val waiting = ConcurrentHashMap.newKeySet<Step>()
    private val afterEnd = Dispatchers.IO.limitedParallelism(1)

    @Volatile private var ended = false

    /** Waits for steps at the end of the actor. Set before it looks at the set, and read by senders after they have added a step. */
    @Volatile private var endingThread: Thread? = null

    private inner class Step(val context: CoroutineContext, val block: Runnable) : Runnable {
        override fun run() {
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
            if (ended) {
                afterEnd.dispatch(context, step)
            } else {
                LockSupport.unpark(endingThread)
            }
        }
    }

    /**
     * The actor's own scope is cancelled as a whole. To cancel the job of each of its steps would also cancel what is under
     * `NonCancellable`, which has a job of its own.
     */
    private fun cancel(step: Step, cause: RejectedExecutionException?) {
        if (step.context[InScope]?.dispatcher !== this) {
            step.context.cancel(CancellationException("actor ${actor.name()} has been stopped", cause))
        }
    }

    /** Runs the steps that are there or come, until the job has completed or the thread is interrupted. Inside the actor, at its end. */
    fun runUntilCompleted(job: Job) {
        val thread = Thread.currentThread()
        endingThread = thread
        job.invokeOnCompletion { LockSupport.unpark(thread) }
        while (!job.isCompleted) {
            if (!runWaiting()) {
                if (thread.isInterrupted) {
                    return
                }
                parkHandler(this)
            }
        }
    }

    /** Runs what is left, and sends elsewhere what comes later. Inside the actor, at its end. */
    fun end() {
        while (runWaiting()) {
            // a step may bring another one
        }
        ended = true
        for (step in waiting) {
            cancel(step, null)
            afterEnd.dispatch(step.context, step)
        }
    }

    private fun runWaiting(): Boolean {
        var some = false
        for (step in waiting) {
            some = true
            cancel(step, null)
            step.run()
        }
        return some
    }

    override fun toString(): String = "dispatcher of ${actor.name()}"
}

/** Marks the coroutines of an actor's scope, also under another job. */
internal class InScope(val dispatcher: ActorDispatcher) : AbstractCoroutineContextElement(InScope) {
    companion object Key : CoroutineContext.Key<InScope>
}
