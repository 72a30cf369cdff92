package io.fibry.kotlin

import io.fibry.ActorSystem
import io.fibry.AskTimeoutException
import io.fibry.ReplyActor
import io.fibry.ReplyContext
import io.fibry.test.TestSystem
import java.io.IOException
import java.lang.reflect.ParameterizedType
import java.lang.reflect.WildcardType
import kotlin.time.Duration.Companion.days
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.test.runTest
import kotlinx.coroutines.yield
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.assertThrows

/**
 * The messages of one actor have replies of several types. That the assignments below compile is a part of the test.
 *
 * Seen to fail: a type parameter with `out`, and a reply that does not compare its message.
 */
@Timeout(60)
class TypedRequestsTest {

    private val system = ActorSystem.create()

    @AfterEach
    fun close() {
        assertTrue(system.close(java.time.Duration.ofSeconds(10)))
    }

    private sealed interface Account
    private data class Deposit(val cents: Long) : Account, Request<Long>
    private data object Owner : Account, Request<String?>
    private data class Close(val reason: String) : Account, Request<Unit>

    private fun account(): ReplyActor<Account, Reply> = system.actor("account").onRequestFrom { context: ReplyContext<Account, Reply> ->
        var balance = 0L
        behavior@{ message ->
            yield()
            when (message) {
                is Deposit -> {
                    if (message.cents < 0) throw IOException("negative")
                    balance += message.cents
                    message.reply(balance)
                }
                is Owner -> message.reply(null)
                is Close -> message.reply(context.self().stop())
            }
        }
    }

    @Test
    fun eachMessageHasItsReplyType() = runBlocking {
        val account = account()
        val one: Long = account.request(Deposit(5))
        val two: Long = account.request(Deposit(2), 1.days)
        val owner: String? = account.request(Owner)
        val closed: Unit = account.request(Close("no money"))
        assertEquals(listOf(5L, 7L, null, Unit), listOf(one, two, owner, closed))
        assertTrue(account.awaitExit().isNormal)
    }

    /** The parent of all messages has the type parameter. */
    private sealed interface Shelf<R> : Request<R>
    private data class Count(val item: String) : Shelf<Int>
    private class Items : Shelf<List<String>>

    @Test
    fun theProtocolMayHaveTheTypeParameter() = runBlocking {
        val shelf = system.actor().onRequest { message: Shelf<*> ->
            when (message) {
                is Count -> message.reply(message.item.length)
                is Items -> message.reply(listOf("tea"))
            }
        }
        val count: Int = shelf.request(Count("tea"))
        val items: List<String> = shelf.request(Items())
        assertEquals(3, count)
        assertEquals(listOf("tea"), items)
    }

    @Test
    fun aBehaviorThatDoesNotSuspendAndJavaUseTheSameReply() = runBlocking {
        val actor = system.actor().newActorWithReturn { message: Deposit -> message.reply(message.cents) }
        val cents: Long = actor.request(Deposit(3))
        assertEquals(3L, cents)
        assertEquals(3L, actor.call(Deposit(3)).value)
        assertEquals("reply to Deposit(cents=3): 3", actor.call(Deposit(3)).toString())
    }

    @Test
    fun aFailureIsTheFailureOfTheRequest() = runBlocking {
        suspend fun deposit(): Long = account().request(Deposit(-1)) + 1
        val failure = assertThrows<IOException> { deposit() }
        assertTrue(failure.suppressed.single().stackTrace.first().methodName.endsWith("deposit"), failure.stackTraceToString())
        val silent = system.actor().onRequest { _: Deposit -> awaitCancellation() }
        val late = async { runCatching { silent.request(Deposit(1), 1.milliseconds) }.exceptionOrNull() }.await()
        assertTrue(late is AskTimeoutException, late.toString())
        silent.stop(io.fibry.StopMode.INTERRUPT)
    }

    @Test
    fun aReplyToAnotherMessageIsRefused() = runBlocking {
        val other = Deposit(2)
        val wrong = system.actor().onRequest { _: Deposit -> other.reply(9) }
        val text = assertThrows<IllegalStateException> { wrong.request(Deposit(1)) }.message
        assertEquals(
            "the behavior has replied to Deposit(cents=2) instead of Deposit(cents=1): " +
                "return message.reply(value) of the message that it handles",
            text,
        )
    }

    /** With `Request<out R>`, `request.reply("text")` would compile for a `Request<Long>`: R would be `Any`. */
    @Test
    fun theCompilerChecksTheValue() {
        val reply = Class.forName("io.fibry.kotlin.TypedRequestsKt").methods.single { it.name == "reply" }
        val receiver = reply.genericParameterTypes.first() as ParameterizedType
        assertFalse(receiver.actualTypeArguments.single() is WildcardType, receiver.toString())
    }

    @Test
    fun aProbeStandsInForTheActor() {
        TestSystem.create().use { test ->
            val probe = test.probe<Account>("account")
            val account = probe.asReplyActor<Reply>()
            runTest {
                val teller = test.actor("teller").onRequest { cents: Long -> account.request(Deposit(cents)) + 1 }
                val sum = teller.ask(5L)
                probe.reply(Deposit(5).let { probe.expect(it) as Deposit }.reply(41))
                assertEquals(42L, sum.get())
            }
        }
    }
}
