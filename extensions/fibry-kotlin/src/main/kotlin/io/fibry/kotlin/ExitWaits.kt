package io.fibry.kotlin

import io.fibry.Actor
import io.fibry.ActorExit
import java.lang.ref.WeakReference
import java.util.WeakHashMap
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.withLock

/**
 * The coroutines that wait for the exit of one actor. A stage of a future cannot be removed: if each wait added one to
 * the exit of the actor, cancelled waits would remain in memory until the actor ends. This object adds a single stage
 * per actor. A wait is a future of its own, which is removed when the wait ends.
 */
internal class ExitWaits private constructor(private val exit: CompletableFuture<ActorExit>) {

    private val open: MutableSet<CompletableFuture<ActorExit>> = ConcurrentHashMap.newKeySet()

    private fun completeAll(value: ActorExit?, failure: Throwable?) = open.forEach { complete(it, value, failure) }

    private fun complete(wait: CompletableFuture<ActorExit>, value: ActorExit?, failure: Throwable?) {
        if (failure == null) wait.complete(value) else wait.completeExceptionally(failure)
    }

    suspend fun await(): ActorExit {
        val wait = CompletableFuture<ActorExit>()
        open.add(wait)
        try {
            if (exit.isDone) { // perhaps since before the wait was added
                exit.whenComplete { value, failure -> complete(wait, value, failure) }
            }
            return replyOf(wait)
        } finally {
            open.remove(wait)
        }
    }

    companion object {
        private val lock = ReentrantLock()

        /** The exit of an actor refers to the value until the actor ends. Neither keeps the other in memory. */
        private val all = WeakHashMap<Actor<*>, WeakReference<ExitWaits>>()

        fun of(actor: Actor<*>): ExitWaits = lock.withLock { all[actor]?.get() ?: begin(actor) }

        private fun begin(actor: Actor<*>): ExitWaits {
            val waits = ExitWaits(actor.exit())
            waits.exit.whenComplete(waits::completeAll)
            all[actor] = WeakReference(waits)
            return waits
        }
    }
}
