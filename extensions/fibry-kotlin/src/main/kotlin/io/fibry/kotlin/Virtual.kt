package io.fibry.kotlin

import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers

/**
 * A dispatcher for coroutines that block. Each step of a coroutine, from one suspension to the next, runs on its own
 * virtual thread. Any number of coroutines may block at the same time; `limitedParallelism` limits this number.
 *
 * As on [Dispatchers.Default], a step does not keep the JVM alive. Do not run long computations on this dispatcher:
 * virtual threads are not preempted.
 */
@Suppress("UnusedReceiverParameter") // the receiver groups it with the standard dispatchers
public val Dispatchers.Virtual: CoroutineDispatcher
    get() = VirtualThreads

private object VirtualThreads : CoroutineDispatcher() {
    private val threads = Thread.ofVirtual().name("coroutine").factory()

    override fun dispatch(context: CoroutineContext, block: Runnable) {
        threads.newThread(block).start()
    }

    override fun toString(): String = "Dispatchers.Virtual"
}
