package io.fibry.kotlin

import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentLinkedQueue

/**
 * The asks for which coroutines of a message are suspended, in their order. A coroutine that another thread begins may
 * add its first ask while the actor reads, so the queue is concurrent.
 *
 * Complete asks are removed when as many have been added as the last removal has left. At most about twice as many asks
 * are therefore kept as have been open at once, and an ask takes amortized constant time.
 */
internal class WaitingAsks {

    private val asks = ConcurrentLinkedQueue<CompletableFuture<*>>()

    /** The number of asks that may be added before the next removal. A lost update only changes its time. */
    private var left = FEW

    /** Adds an ask that is about to be waited for. */
    fun add(ask: CompletableFuture<*>) {
        if (left-- <= 0) {
            asks.removeIf { it.isDone }
            left = maxOf(FEW, asks.size)
        }
        asks.add(ask)
    }

    /** Returns the oldest ask that is not complete; null if there is none. */
    fun oldest(): CompletableFuture<*>? {
        while (true) {
            val oldest = asks.peek() ?: return null
            if (!oldest.isDone) {
                return oldest
            }
            asks.remove(oldest)
        }
    }

    /** For tests: the number of asks that are kept. */
    fun size(): Int = asks.size

    private companion object {
        const val FEW = 16
    }
}
