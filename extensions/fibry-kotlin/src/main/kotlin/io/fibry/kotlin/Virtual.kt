package io.fibry.kotlin

import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers

/**
 * For coroutines that block: each step of a coroutine, from one suspension to the next, has a virtual thread of its own. So any number
 * of them may block at the same time, and `limitedParallelism` limits it.
 *
 * A step does not keep the JVM alive, as on [Dispatchers.Default]. Do not compute for long here: virtual threads are not preempted.
 */
@Suppress("UnusedReceiverParameter") // it is found where the others are
public val Dispatchers.Virtual: CoroutineDispatcher
    get() = VirtualThreads

private object VirtualThreads : CoroutineDispatcher() {
    private val threads = Thread.ofVirtual().name("coroutine").factory()

    override fun dispatch(context: CoroutineContext, block: Runnable) {
        threads.newThread(block).start()
    }

    override fun toString(): String = "Dispatchers.Virtual"
}
