package io.fibry.kotlin

import io.fibry.dispatch.AskFuture
import io.fibry.dispatch.AskStage
import io.fibry.dispatch.Control
import io.fibry.dispatch.Worker
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.locks.LockSupport
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Delay
import kotlinx.coroutines.DelicateCoroutinesApi
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.GlobalScope
import kotlinx.coroutines.InternalCoroutinesApi
import kotlinx.coroutines.Job
import kotlinx.coroutines.async
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.job

/**
 * Runs a suspending function for one message, on the thread that handles the message. The steps of its coroutines are
 * dispatched to this thread, which waits between the steps.
 *
 * `runBlocking` is not suitable, because its loop belongs to the thread: while a handler waits in `call`, another actor
 * may run on its stack, and would run the steps of this handler.
 *
 * **No step is missed.** A step is added to the queue before the thread is unparked. The thread checks the queue and
 * the state of the job before it parks. Therefore either the check finds the step, or the permit of the unpark is
 * available and the park returns at once. The job may complete on another thread, which unparks this thread in the same
 * way. An interrupt also ends or prevents a park.
 *
 * **No step remains in the queue.** When the job of the message has completed, so have the steps of its coroutines. A
 * coroutine that is not a child of the job may still dispatch a step. It adds the step and then reads `over`; the loop
 * sets `over` and then empties the queue. Therefore one of them finds the step, and refuses it like an executor that
 * was shut down.
 */
internal open class MessageLoop private constructor() : CoroutineDispatcher(), OfActors {

    private val thread = Thread.currentThread()
    private val steps = ConcurrentLinkedQueue<Step>()

    @Volatile private var over = false

    /** The asks for which coroutines are suspended, oldest first; complete ones are removed later. For dumps only. */
    private var asks: ConcurrentLinkedQueue<CompletableFuture<*>>? = null

    /** The job of the message. Confined to the thread. */
    private var message: Job? = null

    private class Step(val context: CoroutineContext, val block: Runnable)

    /** The cause of a cancellation by an interrupt. */
    private class Interrupt : CancellationException("the actor's handler was interrupted")

    val isCurrentThread: Boolean
        get() = thread === Thread.currentThread()

    override fun dispatch(context: CoroutineContext, block: Runnable) {
        steps.add(Step(context, block))
        if (over) {
            refuseAll()
        } else {
            LockSupport.unpark(thread)
        }
    }

    /** Returns the result of the function, or throws its exception. */
    @OptIn(DelicateCoroutinesApi::class, ExperimentalCoroutinesApi::class)
    fun <R> run(function: suspend () -> R): R {
        val job = GlobalScope.async(this, CoroutineStart.UNDISPATCHED) {
            message = coroutineContext.job
            function()
        }
        try {
            if (!job.isCompleted) {
                await(job)
            }
        } finally {
            over = true
            refuseAll()
        }
        when (val failure = job.getCompletionExceptionOrNull()) {
            null -> return job.getCompleted()
            is Interrupt -> throw InterruptedException(failure.message)
            else -> throw failure
        }
    }

    private fun await(job: Deferred<*>) {
        job.invokeOnCompletion { LockSupport.unpark(thread) }
        while (!job.isCompleted) {
            val step = steps.poll()
            when {
                Thread.interrupted() -> {
                    job.cancel(Interrupt())
                    step?.block?.run()
                }
                step != null -> step.block.run()
                else -> park(job)
            }
        }
    }

    /**
     * Parks. If a coroutine waits for an ask, the thread publishes that it waits for the asked actor: a dump shows it,
     * and a cycle with this wait is logged. The wait is not a certain deadlock, since another coroutine may continue
     * first.
     */
    private fun park(job: Job) {
        val wait = oldestAsk()?.let { AskStage.beginWaitForAny(listOf(it)) }
        try {
            parkHandler(this) { job.isCompleted || steps.isNotEmpty() }
        } finally {
            wait?.end()
        }
    }

    private fun oldestAsk(): CompletableFuture<*>? {
        val waiting = asks ?: return null
        while (true) {
            val oldest = waiting.peek() ?: return null
            if (!oldest.isDone) {
                return oldest
            }
            waiting.remove(oldest)
        }
    }

    /** Called by a coroutine of this loop that is about to suspend until the future completes. */
    private fun suspendsFor(future: CompletableFuture<*>) {
        if (future is AskFuture) {
            val waiting = asks ?: ConcurrentLinkedQueue<CompletableFuture<*>>().also { asks = it }
            waiting.add(future)
        }
    }

    private fun refuseAll() {
        while (true) {
            val step = steps.poll() ?: return
            refuse(step.context, step.block, "the message that this coroutine belongs to has been handled")
        }
    }

    override fun toString(): String = "MessageLoop of ${thread.name}"

    /** The loop of a test: `delay` and `withTimeout` follow the virtual time. */
    @OptIn(InternalCoroutinesApi::class)
    private class UnderControl : MessageLoop(), Delay by AlarmDelay

    companion object {

        /** Returns a loop for the calling thread, which handles a message. */
        fun create(): MessageLoop = if (Control.ofCurrentThread() == null) MessageLoop() else UnderControl()

        /**
         * Blocks for a reply if the calling coroutine is the only one of its message. No other coroutine then needs the
         * thread, which waits as in `call`: the asked actor may run on its stack, and a cycle in the wait-for graph is
         * detected. In `withTimeout`, `coroutineScope` and similar functions, the coroutine is not the only one: then
         * only dumps show the wait. Returns whether it has waited.
         */
        suspend fun awaitAlone(reply: CompletableFuture<*>): Boolean {
            val context = currentCoroutineContext()
            val loop = context[ContinuationInterceptor] as? MessageLoop ?: return false
            val job = context.job
            if (job !== loop.message || job.children.any()) {
                loop.suspendsFor(reply)
                return false
            }
            try {
                reply.get()
            } catch (_: InterruptedException) {
                reply.cancel(false)
                job.cancel(Interrupt())
                job.ensureActive()
            } catch (_: Exception) {
                // the reply is a failure, which the caller reads from the future
            }
            return true
        }
    }
}

/**
 * Parks the thread of a handler; it may return early. The thread first hands over the actors that it has made ready,
 * which must not wait for it. In a test, other actors run until the condition holds.
 */
internal fun parkHandler(blocker: Any, condition: () -> Boolean) {
    val control = Control.ofCurrentThread()
    if (control == null) {
        Worker.beforeWait()
        LockSupport.park(blocker)
    } else {
        control.await(condition, Control.FOREVER, true, "its suspended coroutine")
    }
}
