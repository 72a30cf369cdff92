package io.fibry.kotlin

import io.fibry.Actor
import io.fibry.ActorInterruptedException
import io.fibry.dispatch.Control
import io.fibry.dispatch.LogText
import kotlin.coroutines.ContinuationInterceptor
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.runInterruptible

/**
 * Sends a message like [tell][Actor.tell], but suspends while the mailbox is full and its policy is
 * [BLOCK][io.fibry.Overflow.BLOCK]. During this time, a virtual thread waits instead of the coroutine's thread. If the
 * coroutine is cancelled meanwhile, the message is not sent. In a [suspending behavior][onMessage], the
 * actor's own thread waits, as in `tell`.
 *
 * @throws io.fibry.ActorStoppedException if the actor has been stopped; the message is not handled
 * @throws io.fibry.MailboxFullException if the mailbox is full and its policy is [FAIL][io.fibry.Overflow.FAIL],
 * or the wait for room would be a deadlock
 */
public suspend fun <M : Any> Actor<M>.send(message: M) {
    currentCoroutineContext().ensureActive()
    if (tryTell(message)) {
        return
    }
    val loop = currentCoroutineContext()[ContinuationInterceptor] as? MessageLoop
    if (loop != null || Control.ofCurrentThread() != null) {
        tell(message) // attributes the wait to the sending actor; a test allows no other threads
    } else {
        runInterruptible(Dispatchers.Virtual) {
            try {
                tell(message)
            } catch (e: ActorInterruptedException) {
                throw e.cause ?: e
            }
        }
    }
}

/**
 * Collects the flow, and [sends][send] each item to the actor, in order. The mailbox is the buffer: while it is full,
 * the flow is suspended. Returns when the last item has been sent. This function does not stop the actor.
 *
 * @throws IllegalArgumentException if the mailbox has no limit, because it would have to buffer all items
 * @throws io.fibry.ActorStoppedException if the actor has been stopped; the flow is then cancelled
 */
public suspend fun <M : Any> Flow<M>.sendTo(actor: Actor<M>) {
    require(actor.countsMailbox()) {
        "actor ${LogText.plain(actor.name())} has a mailbox without a limit, which cannot slow down the flow: create it with" +
            " bounded(capacity, Overflow.BLOCK)"
    }
    collect { actor.send(it) }
}

/** Returns whether the mailbox has a limit or a priority. */
internal fun Actor<*>.countsMailbox(): Boolean = mailboxSize().isPresent
