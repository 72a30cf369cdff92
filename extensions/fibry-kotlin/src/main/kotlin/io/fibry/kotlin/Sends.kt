package io.fibry.kotlin

import io.fibry.Actor
import io.fibry.ActorInterruptedException
import kotlin.coroutines.ContinuationInterceptor
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.runInterruptible

/**
 * Sends a message as [tell][Actor.tell], but suspends while the mailbox is full and its policy is
 * [BLOCK][io.fibry.Overflow.BLOCK]. A virtual thread then waits in the place of the coroutine's thread. If the coroutine is
 * cancelled meanwhile, the message is not sent. In a [suspending behavior][newSuspendingActor] the actor's own thread waits, as in
 * `tell`.
 *
 * @throws io.fibry.ActorStoppedException if the actor has been stopped; the message is not handled
 * @throws io.fibry.MailboxFullException if the mailbox is full and its policy is [FAIL][io.fibry.Overflow.FAIL], or the wait for
 * room would be a deadlock
 */
public suspend fun <M : Any> Actor<M>.send(message: M) {
    currentCoroutineContext().ensureActive()
    if (tryTell(message)) {
        return
    }
    val loop = currentCoroutineContext()[ContinuationInterceptor] as? MessageLoop
    if (loop?.isCurrentThread == true) {
        tell(message) // so the actor that sees it wait is the right one
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
 * Collects the flow, and [sends][send] each item to the actor, in order. The mailbox is the buffer: while it is full, the flow is
 * suspended. It returns when the last item has been sent, and does not stop the actor.
 *
 * @throws IllegalArgumentException if the mailbox has no limit, since all items could wait there
 * @throws io.fibry.ActorStoppedException if the actor has been stopped; the flow is then cancelled
 */
public suspend fun <M : Any> Flow<M>.sendTo(actor: Actor<M>) {
    require(actor.hasRoomOfItsOwn()) {
        "actor ${actor.name()} has a mailbox without a limit, so nothing would slow down the flow: make it with" +
            " bounded(capacity, Overflow.BLOCK)"
    }
    collect { actor.send(it) }
}

/** Whether the mailbox has a limit or a priority. */
internal fun Actor<*>.hasRoomOfItsOwn(): Boolean =
    try {
        mailboxSize() >= 0
    } catch (_: UnsupportedOperationException) {
        false
    }
