package io.fibry.kotlin

import io.fibry.dispatch.AskFuture
import io.fibry.dispatch.AskStage
import io.fibry.dispatch.Control
import io.fibry.dispatch.SuspendedHandler
import java.util.concurrent.CompletableFuture
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.AbstractCoroutine
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Delay
import kotlinx.coroutines.InternalCoroutinesApi
import kotlinx.coroutines.Job
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.job

/**
 * Runs a suspending function for one message. The function begins on the thread that handles the message. When it
 * suspends, the handler is [suspended][SuspendedHandler]: the actor keeps the message, and no thread. The steps of its
 * coroutines are dispatched here, and later turns of the actor run them.
 *
 * **No step is missed.** A step is added before the actor is woken up, and so is the end of the job, which may come
 * from another thread; see [SuspendedHandler].
 *
 * **No step remains.** When the job of the message has completed, so have the steps of its coroutines. A coroutine that
 * is not a child of the job may still dispatch a step. Such a step is added before the list is closed, and the actor
 * refuses it; or its sender finds the list closed, and refuses it. The coroutine is cancelled, as by an executor that
 * was shut down.
 */
internal open class MessageLoop private constructor() : CoroutineDispatcher(), SuspendedHandler, OfActors {

    /** The steps that no turn has taken, newest first. */
    @Volatile private var added: Step? = null

    /** The steps that a turn has taken, oldest first. Confined to the actor, as are the next three. */
    private var taken: Step? = null

    /** The ask for which the only coroutine of the message is suspended. */
    private var ask: AskFuture<*>? = null

    /** The asks for which other coroutines are suspended. */
    internal var asks: WaitingAsks? = null
        private set

    private var message: Job? = null

    /** Null until the handler is suspended. */
    @Volatile private var resumption: SuspendedHandler.Resumption? = null

    /** The result of the function, or a [Failure]; [OPEN] until it is known. */
    @Volatile private var outcome: Any? = OPEN

    private class Step(val context: CoroutineContext?, val block: Runnable?) {
        var next: Step? = null
    }

    private class Failure(val cause: Throwable)

    /** The cause of a cancellation by an interrupt. */
    private class Interrupt : CancellationException("the actor's handler was interrupted")

    /** The coroutine of the function. */
    @OptIn(InternalCoroutinesApi::class)
    private class Message<R>(private val loop: MessageLoop) :
        AbstractCoroutine<R>(loop, initParentJob = false, active = true) {

        override fun onCompleted(value: R) = loop.completed(value)

        override fun onCancelled(cause: Throwable, handled: Boolean) = loop.completed(Failure(cause))
    }

    override fun dispatch(context: CoroutineContext, block: Runnable) {
        val step = Step(context, block)
        do {
            val newest = added
            if (newest === CLOSED) {
                return refuse(step)
            }
            step.next = newest
        } while (!ADDED.compareAndSet(this, newest, step))
        resumption?.wakeUp()
    }

    private fun completed(value: Any?) {
        outcome = value
        resumption?.wakeUp()
    }

    /** Returns the result of the function, or throws its exception, unless it is suspended. */
    fun <M, R> begin(message: M, function: suspend (M) -> R): Any? {
        val coroutine = Message<R>(this)
        this.message = coroutine
        coroutine.start(CoroutineStart.UNDISPATCHED, message, function)
        return if (isComplete) result() else SuspendedHandler.suspend(this)
    }

    override fun suspended(resumption: SuspendedHandler.Resumption) {
        this.resumption = resumption
    }

    override fun runSteps() {
        ask = null
        if (taken == null) {
            taken = oldestFirst(ADDED.getAndSet(this, null))
        }
        while (true) {
            val step = taken ?: return
            taken = step.next
            step.block?.run()
        }
    }

    private fun oldestFirst(newest: Step?): Step? {
        var oldest: Step? = null
        var step = newest
        while (step != null) {
            val older = step.next
            step.next = oldest
            oldest = step
            step = older
        }
        return oldest
    }

    override fun hasWork(): Boolean = added != null || taken != null || isComplete

    override fun isComplete(): Boolean = outcome !== OPEN

    override fun result(): Any? {
        var step = oldestFirst(ADDED.getAndSet(this, CLOSED))
        while (step != null) {
            refuse(step)
            step = step.next
        }
        val value = outcome
        if (value is Failure) {
            throw if (value.cause is Interrupt) InterruptedException(value.cause.message) else value.cause
        }
        return value
    }

    override fun interrupted() {
        message?.cancel(Interrupt())
    }

    /**
     * If the only coroutine of the message waits for an ask, a cycle with this wait is a deadlock. Otherwise the oldest
     * ask is shown, but another coroutine may continue first.
     */
    override fun awaited(): CompletableFuture<*>? = ask ?: asks?.oldest()?.let { AskStage.ofAny(listOf(it)) }

    /** Called by a coroutine of this loop that is about to suspend until the future completes. */
    private fun suspendsFor(future: CompletableFuture<*>) {
        if (future is AskFuture) {
            val waiting = asks ?: WaitingAsks().also { asks = it }
            waiting.add(future)
        }
    }

    private fun refuse(step: Step) {
        if (step.context != null && step.block != null) {
            refuse(step.context, step.block, "the message that this coroutine belongs to has been handled")
        }
    }

    override fun toString(): String = "MessageLoop"

    /** The loop of a test: `delay` and `withTimeout` follow the virtual time. */
    @OptIn(InternalCoroutinesApi::class)
    private class UnderControl : MessageLoop(), Delay by AlarmDelay

    companion object {

        private val OPEN = Any()

        private val CLOSED = Step(null, null)

        private val ADDED =
            AtomicReferenceFieldUpdater.newUpdater(MessageLoop::class.java, Step::class.java, "added")

        /** Returns a loop for the calling thread, which handles a message. */
        fun create(): MessageLoop = if (Control.ofCurrentThread() == null) MessageLoop() else UnderControl()

        /**
         * Called by a coroutine that is about to suspend until the future completes. If it is a coroutine of a message,
         * the asked actor may run on the stack of this handler, as in `call`. Returns whether the future is complete.
         */
        suspend fun beforeWait(reply: CompletableFuture<*>): Boolean {
            val context = currentCoroutineContext()
            val loop = context[ContinuationInterceptor] as? MessageLoop ?: return false
            if (context.job !== loop.message || context.job.children.any()) {
                loop.suspendsFor(reply)
                return false
            }
            if (reply is AskFuture && !reply.tryComplete()) {
                loop.ask = reply
            }
            return reply.isDone
        }
    }
}
