package io.fibry.kotlin

import io.fibry.ReplyActor
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive

/**
 * A message whose reply has the type [R]. The messages of an actor may have replies of several types, for instance as
 * the classes of a sealed interface: the behavior returns `message.reply(value)` for each of them, and [request]
 * returns the value. The compiler checks the type of the value on both sides, and that a `when` handles all messages.
 *
 * ```
 * sealed interface Account
 * data class Deposit(val cents: Long) : Account, Request<Long>
 * data object Owner : Account, Request<String>
 *
 * val account = system.actor("account").onRequest { message: Account ->
 *     when (message) {
 *         is Deposit -> message.reply(message.cents)
 *         is Owner -> message.reply("Ann")
 *     }
 * }
 * val cents: Long = account.request(Deposit(5))
 * ```
 *
 * The type parameter is invariant: with `out R`, a value of any type would be a reply.
 */
public interface Request<R>

/**
 * The result of a behavior for a [Request]: see [reply]. Any thread may read it.
 *
 * @property value the reply to the message
 */
public class Reply internal constructor(private val request: Request<*>, public val value: Any?) {

    /** Returns the value, which must be for this message. */
    internal fun <R> valueFor(message: Request<R>): R {
        check(request == message) {
            "the behavior has replied to $request instead of $message: return message.reply(value) of the message that it handles"
        }
        @Suppress("UNCHECKED_CAST") // `reply` has checked the type for this message
        return value as R
    }

    /** Returns a text with the request and the value. */
    override fun toString(): String = "reply to $request: $value"
}

/** Returns the result of a behavior for this message. Any thread may call it; it sends nothing. */
public fun <R> Request<R>.reply(value: R): Reply = Reply(this, value)

/**
 * Asks an actor whose behavior returns a [Reply], and suspends until it arrives. Otherwise like the other forms.
 *
 * @throws IllegalStateException if the behavior has replied to another message
 */
public suspend fun <R, M : Request<R>> ReplyActor<in M, Reply>.request(message: M): R {
    currentCoroutineContext().ensureActive()
    return replyOf(ask(message)).valueFor(message)
}

/**
 * Like the form without a timeout, with a time limit that includes the wait for room in a full mailbox.
 *
 * @throws io.fibry.AskTimeoutException if there is no reply in time
 * @throws IllegalStateException if the behavior has replied to another message
 */
public suspend fun <R, M : Request<R>> ReplyActor<in M, Reply>.request(message: M, timeout: Duration): R {
    currentCoroutineContext().ensureActive()
    return replyOf(ask(message, timeout.toJavaDuration())).valueFor(message)
}
