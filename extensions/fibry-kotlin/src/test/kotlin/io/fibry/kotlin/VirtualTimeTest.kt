package io.fibry.kotlin

import io.fibry.Actor
import io.fibry.BehaviorCancelledException
import io.fibry.Overflow
import io.fibry.StopMode
import io.fibry.test.Schedules
import io.fibry.test.TestSystem
import java.util.concurrent.CompletableFuture
import kotlin.time.Duration.Companion.days
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.nanoseconds
import kotlin.time.toJavaDuration
import kotlin.time.toKotlinDuration
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.future.await
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.test.runTest
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.withTimeoutOrNull
import org.junit.jupiter.api.AutoClose
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.assertThrows

/** The time of coroutines inside actors is that of a `TestSystem`. */
@Timeout(60)
class VirtualTimeTest {

    @AutoClose private val test: TestSystem = TestSystem.create()
    private val log = mutableListOf<String>()

    private fun advance(time: kotlin.time.Duration) = test.advance(time.toJavaDuration())

    private val elapsed
        get() = test.elapsed().toKotlinDuration()

    private val doubling = test.actor("doubling").onRequest { n: Int ->
        delay(1.hours)
        2 * n
    }

    @Test
    fun aDelayFollowsIt() {
        val actor: Actor<String> = test.actor("slow").onMessage { message ->
            log.add("$message begins")
            delay(1.hours)
            log.add("$message ends")
        }
        actor.tell("a")
        actor.tell("b")
        advance(1.hours - 1.nanoseconds)
        assertEquals(listOf("a begins"), log)
        advance(1.nanoseconds)
        assertEquals(listOf("a begins", "a ends", "b begins"), log)
        advance(1.hours)
        assertEquals("b ends", log.last())
    }

    @Test
    fun coroutinesOfAHandlerDelayAtTheSameTime() {
        val actor: Actor<Int> = test.actor("three").onMessage { n ->
            coroutineScope {
                for (i in n downTo 1) {
                    launch {
                        delay(i.hours)
                        log.add("$i")
                    }
                }
            }
            log.add("end")
        }
        actor.tell(3)
        actor.stop()
        actor.waitForExit()
        assertEquals(listOf("1", "2", "3", "end"), log)
        assertEquals(3.hours, elapsed)
    }

    @Test
    fun aTimeLimitOfABehaviorFollowsIt() {
        val limited = test.actor("limited").onRequest { n: Int ->
            withTimeoutOrNull(1.hours) { delay(n.hours).let { n } }
        }
        assertNull(limited.call(2))
        assertEquals(1.hours, elapsed)
        val failing = test.actor("failing").onRequest { n: Int ->
            withTimeout(1.hours) { doubling.request(doubling.request(n)) }
        }
        val failure = assertThrows<BehaviorCancelledException> { failing.call(1) }
        assertInstanceOf(TimeoutCancellationException::class.java, failure.cause)
        assertEquals(2.hours, elapsed)
    }

    @Test
    fun aTimeLimitThatIsMetIsNoMore() {
        val limited = test.actor("limited").onRequest { n: Int -> withTimeout(1.days) { doubling.request(n) } }
        assertEquals(14, limited.call(7))
        limited.close()
        doubling.close()
        assertEquals(1.hours, elapsed) // and not a day
    }

    @Test
    fun anInterruptCancelsADelay() {
        val actor: Actor<Int> = test.actor("slow").onMessage {
            try {
                delay(1.days)
            } finally {
                withContext(NonCancellable) { delay(1.hours) }
                log.add("cleaned up")
            }
        }
        actor.tell(1)
        advance(1.minutes)
        actor.stop(StopMode.INTERRUPT)
        actor.waitForExit()
        assertEquals(listOf("cleaned up"), log)
        assertEquals(1.hours + 1.minutes, elapsed)
    }

    @Test
    fun coroutinesOfTheScopeOfAnActorFollowIt() {
        val actor: Actor<String> = test.actor("scope").newActor { log.add(it) }
        actor.asCoroutineScope().launch {
            try {
                delay(1.hours)
                log.add("after an hour")
                awaitCancellation()
            } finally {
                withContext(NonCancellable) { delay(1.hours) }
                log.add("cleaned up")
            }
        }
        advance(1.minutes)
        actor.tell("meanwhile")
        advance(1.hours)
        assertEquals(listOf("meanwhile", "after an hour"), log)
        actor.stop()
        actor.waitForExit()
        assertEquals("cleaned up", log.last())
        assertEquals(2.hours + 1.minutes, elapsed)
    }

    @Test
    fun aTestMayUseRunTest() = runTest {
        assertEquals(14, doubling.request(7))
        assertEquals(1.hours, elapsed)
        delay(1.days) // of this coroutine: the time of runTest
        assertEquals(1.hours, elapsed)
        assertEquals(listOf(2, 4), listOf(async { doubling.request(1) }, async { doubling.request(2) }).awaitAll())
        assertEquals(3.hours, elapsed)
        doubling.stop()
        assertTrue(doubling.awaitExit().isNormal)
    }

    /** Both requests are made before the test waits for the first reply. */
    @Test
    fun coroutinesOfRunTestAskAtTheSameTime() = runTest {
        val second = CompletableFuture<Int>()
        val one = test.actor("one").onRequest { n: Int -> second.await().let { n } }
        val two = test.actor("two").onRequest { n: Int -> n.also { second.complete(n) } }
        assertEquals(listOf(1, 2), listOf(async { one.request(1) }, async { two.request(2) }).awaitAll())
    }

    @Test
    fun anActorMayUseRunBlocking() {
        val actor = test.actor("blocking").newActorWithReturn { n: Int -> runBlocking { doubling.request(n) + 1 } }
        assertEquals(15, actor.call(7))
        assertEquals(1.hours, elapsed)
    }

    @Test
    fun sendWaitsForRoomInAMailbox() = runTest {
        val slow = test.actor("slow").bounded(1, Overflow.BLOCK).onMessage { n: Int ->
            delay(1.hours)
            log.add("$n")
        }
        for (n in 1..4) {
            slow.send(n)
        }
        assertEquals(2.hours, elapsed) // one is being handled, and one waits
        slow.stop()
        slow.waitForExit()
        assertEquals(listOf("1", "2", "3", "4"), log)
    }

    @Test
    fun aCoroutineThatWaitsForEverFailsTheTest() {
        test.close()
        val text = assertThrows<AssertionError> {
            Schedules.random(1).check {
                val actor: Actor<Int> = it.actor("stuck").onMessage { awaitCancellation() }
                actor.tell(1)
            }
        }.message!!
        assertTrue(text.contains("everybody waits: stuck waits for its suspended coroutine"), text)
    }

    /** The order of equal delays, of steps and of messages is chosen like any other, and can be repeated. */
    @Test
    fun allOrdersKeepTheRulesOfASuspendingBehavior() {
        test.close()
        val orders = mutableSetOf<List<String>>()
        Schedules.random(200).check { run ->
            val seen = mutableListOf<String>()
            val echo = run.actor("echo").onRequest { n: Int -> delay(1.minutes).let { n } }
            val actor: Actor<Int> = run.actor("asker").onMessage { n ->
                coroutineScope {
                    launch { seen.add("$n reply ${echo.request(n)}") }
                    launch { delay(1.minutes).also { seen.add("$n delay") } }
                }
                seen.add("$n end")
            }
            actor.tell(1)
            actor.tell(2)
            actor.stop()
            actor.waitForExit()
            assertEquals(listOf(2, 5), seen.indices.filter { seen[it].endsWith("end") })
            orders.add(seen)
        }
        assertTrue(orders.size > 1, orders.toString())
    }
}
