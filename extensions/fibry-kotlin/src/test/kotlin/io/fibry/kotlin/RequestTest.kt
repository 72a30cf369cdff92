package io.fibry.kotlin

import io.fibry.Actor
import io.fibry.ActorStoppedException
import io.fibry.ActorSystem
import io.fibry.AskTimeoutException
import io.fibry.ReplyTo
import io.fibry.StopMode
import java.io.IOException
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CountDownLatch
import kotlin.time.Duration.Companion.days
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.assertThrows

@Timeout(60)
class RequestTest {

    private val system = ActorSystem.create()
    private val gate = CountDownLatch(1)
    private val begun = CountDownLatch(1)
    private val handled = ConcurrentLinkedQueue<Int>()

    /** Its handler waits at the gate. */
    private val slow = system.actor("slow").newActorWithReturn { n: Int ->
        begun.countDown()
        gate.await()
        handled.add(n)
        n * n
    }

    @AfterEach
    fun close() {
        gate.countDown()
        assertTrue(system.close(java.time.Duration.ofSeconds(10)))
    }

    @Test
    fun theReplyComes() = runBlocking {
        gate.countDown()
        assertEquals(49, slow.request(7))
        assertEquals(49, slow.request(7, 1.days))
        val all = withContext(Dispatchers.Default) { (1..1_000).map { async { slow.request(it) } }.awaitAll() }
        assertEquals((1..1_000).map { it * it }, all)
    }

    @Test
    fun aReplyMayBeNull() = runBlocking {
        val find = system.actor().newActorWithReturn { n: Int -> if (n > 0) "found" else null }
        assertEquals(listOf("found", null), listOf(find.request(1), find.request(0)))
    }

    @Test
    fun theThrownExceptionIsTheFailure() = runBlocking {
        for (failure in listOf(IOException("disk"), IllegalStateException("state"), AssertionError("error"))) {
            val failing = system.actor().newActorWithReturn<Int, Int> { throw failure }
            assertSame(failure, runCatching { failing.request(1) }.exceptionOrNull())
            val waiting = system.actor().newActorWithReturn<Int, Int> {
                gate.await()
                throw failure
            }
            val caller = async(start = CoroutineStart.UNDISPATCHED) { runCatching { waiting.request(1) } }
            gate.countDown()
            assertSame(failure, caller.await().exceptionOrNull())
        }
    }

    @Test
    fun cancellationSkipsAMessageThatHasNotBegun() = runBlocking {
        val first = async(start = CoroutineStart.UNDISPATCHED) { slow.request(1) }
        val second = launch(start = CoroutineStart.UNDISPATCHED) { slow.request(2) }
        val third = async(start = CoroutineStart.UNDISPATCHED) { slow.request(3) }
        second.cancelAndJoin()
        gate.countDown()
        assertEquals(listOf(1, 9), awaitAll(first, third))
        assertEquals(listOf(1, 3), handled.toList())
    }

    @Test
    fun aCancelledCoroutineAsksNothing() = runBlocking {
        gate.countDown()
        launch {
            coroutineContext[Job]!!.cancel()
            assertThrows<CancellationException> { slow.request(1) }
        }.join()
        slow.request(2)
        assertEquals(listOf(2), handled.toList())
    }

    @Test
    fun theTimeoutReportsThePositionOfTheMessage() = runBlocking {
        val first = async(start = CoroutineStart.UNDISPATCHED) { slow.request(1) }
        val late = assertThrows<AskTimeoutException> { slow.request(2, 1.milliseconds) }
        assertTrue(late.message!!.contains("actor slow did not answer within PT0.001S"), late.message)
        gate.countDown()
        assertEquals(1, first.await())
        slow.request(3)
        assertEquals(listOf(1, 3), handled.toList())
    }

    @Test
    fun aStopEndsTheWait() = runBlocking {
        val first = async(start = CoroutineStart.UNDISPATCHED) { slow.request(1) }
        val second = async(start = CoroutineStart.UNDISPATCHED) { runCatching { slow.request(2) } }
        begun.await()
        slow.stop(StopMode.DISCARD)
        assertTrue(second.await().exceptionOrNull() is ActorStoppedException)
        gate.countDown()
        assertEquals(1, first.await())
        assertTrue(slow.awaitExit().isNormal)
        assertThrows<ActorStoppedException> { slow.request(3) }
        Unit
    }

    private data class Length(val text: String, val replyTo: ReplyTo<Int>)

    @Test
    fun aMessageMayCarryTheAddress() = runBlocking {
        val lengths: Actor<Length> = system.actor().newActor { it.replyTo.reply(it.text.length) }
        val length: Int = lengths.request(1.days) { Length("fibry", it) }
        assertEquals(5, length)
    }

    @Test
    fun aSinkAnswersQuestions() = runBlocking {
        val guests = system.actor().newSink(mutableListOf("Ann"))
        guests.execute { list -> list.add("Bob") }
        assertEquals(listOf("Ann", "Bob"), guests.request { it.toList() })
    }
}
