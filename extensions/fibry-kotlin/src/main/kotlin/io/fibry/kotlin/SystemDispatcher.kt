package io.fibry.kotlin

import io.fibry.ActorSystem
import io.fibry.ThreadStrategy
import java.util.concurrent.RejectedExecutionException
import java.util.concurrent.atomic.AtomicReference
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers

/**
 * Returns a dispatcher whose coroutines run on the virtual threads of this system, together with its actors. A
 * [request] to an actor of the system then usually needs no other thread: on [Dispatchers.Default], it passes to a
 * thread of the system and back.
 *
 * Each step of a coroutine, from one suspension to the next, runs like a handler. Any number of coroutines may block at
 * the same time; `limitedParallelism` limits this number. Do not run long computations on this dispatcher: virtual
 * threads are not preempted.
 *
 * When the system closes, the dispatcher refuses new steps. A coroutine that resumes after that is cancelled, and
 * continues on [Dispatchers.IO].
 *
 * Create one dispatcher per system: each keeps actors for its next steps.
 */
public fun ActorSystem.asCoroutineDispatcher(): CoroutineDispatcher = SystemDispatcher(this)

/**
 * Runs each step in an actor of its own, since only actors run on the workers of a system. The actors are used again.
 *
 * **Each step runs exactly once, even if its actor drops it.** The step is in a field of its actor before the actor is
 * asked to run it. It is run by the caller that takes it from there: the task in the actor's mailbox, the end of the
 * actor, or the sender of a refused task. A task that the actor has accepted is run or dropped before the end.
 *
 * **No two steps share an actor.** A sender takes the actor from the stack of idle ones, and only a step that has run
 * puts it back.
 */
internal class SystemDispatcher(private val system: ActorSystem) : CoroutineDispatcher(), OfActors {

    private val idle = AtomicReference<Idle?>()

    private class Step(val context: CoroutineContext, val block: Runnable)

    /** The top of a stack. Never used again, so that a compare-and-set of the top cannot confuse two of them. */
    private class Idle(val carrier: Carrier, val next: Idle?) {
        val depth: Int = if (next == null) 1 else next.depth + 1
    }

    private inner class Carrier : Runnable {
        private val actor = system.actor().strategy(ThreadStrategy.virtual()).newActor { _: Runnable -> }
        private val step = AtomicReference<Step?>()

        init {
            actor.closeOnExit(AutoCloseable { refuseStep() })
        }

        fun begin(next: Step) {
            step.set(next)
            try {
                actor.execute(this)
            } catch (_: RejectedExecutionException) {
                refuseStep()
            }
        }

        override fun run() {
            val current = step.getAndSet(null) ?: return
            current.block.run()
            if (!putBack(this)) {
                actor.stop()
            }
        }

        private fun refuseStep() {
            val refused = step.getAndSet(null)
            if (refused != null) {
                refuse(refused)
            }
        }
    }

    override fun dispatch(context: CoroutineContext, block: Runnable) {
        val step = Step(context, block)
        val carrier = takeIdle() ?: newCarrier()
        if (carrier == null) {
            refuse(step)
        } else {
            carrier.begin(step)
        }
    }

    private fun newCarrier(): Carrier? =
        try {
            Carrier()
        } catch (e: IllegalStateException) {
            if (system.isClosing) null else throw e
        }

    private fun refuse(step: Step) = refuse(step.context, step.block, "the actor system has been closed")

    private fun takeIdle(): Carrier? {
        while (true) {
            val top = idle.get() ?: return null
            if (idle.compareAndSet(top, top.next)) {
                return top.carrier
            }
        }
    }

    /** Returns false if there are enough, for instance after many coroutines have blocked at the same time. */
    private fun putBack(carrier: Carrier): Boolean {
        while (true) {
            val top = idle.get()
            if (top != null && top.depth == MAX_IDLE) {
                return false
            }
            if (idle.compareAndSet(top, Idle(carrier, top))) {
                return true
            }
        }
    }

    override fun toString(): String = "dispatcher of $system"

    private companion object {
        const val MAX_IDLE = 256
    }
}
