package io.fibry.kotlin

import io.fibry.ActorStoppedException
import io.fibry.ActorSystem
import io.fibry.AskTimeoutException
import io.fibry.BehaviorCancelledException
import io.fibry.ReplyActor
import java.util.concurrent.CountDownLatch
import kotlin.time.Duration.Companion.days
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.assertThrows

/** A failure shows where the coroutine has asked: its own frames are those of the actor. */
@Timeout(60)
class RequestSiteTest {

    private val system = ActorSystem.create()

    @AfterEach
    fun close() {
        assertTrue(system.close(java.time.Duration.ofSeconds(10)))
    }

    private val failing: ReplyActor<Int, Int> = system.actor("failing").newActorWithReturn { error("broken") }

    private suspend fun order(actor: ReplyActor<Int, Int>): Int {
        val pieces = actor.request(1)
        return pieces + 1
    }

    private suspend fun checkout(actor: ReplyActor<Int, Int>): Int = order(actor) + 1

    private fun sites(failure: Throwable) = failure.suppressed.filterIsInstance<RequestSite>()

    private fun methods(site: Throwable) = site.stackTrace.map { it.methodName }

    private fun assertShowsOrder(failure: Throwable) {
        val site = sites(failure).single()
        assertEquals(listOf("order", "checkout"), methods(site).take(2))
        assertTrue(site.stackTrace.all { it.fileName == "RequestSiteTest.kt" && it.lineNumber > 0 }, failure.stackTraceToString())
        assertTrue(failure.stackTraceToString().contains("RequestSiteTest.order(RequestSiteTest.kt:"), failure.stackTraceToString())
    }

    @Test
    fun aFailureThatHasAlreadyArrived() = runBlocking {
        assertShowsOrder(assertThrows<IllegalStateException> { checkout(failing) })
    }

    @Test
    fun aFailureThatResumesTheAsker() = runBlocking {
        for (dispatcher in listOf(Dispatchers.Default, Dispatchers.Unconfined, system.asCoroutineDispatcher())) {
            val gate = CountDownLatch(1)
            val later = system.actor().newActorWithReturn<Int, Int> {
                gate.await()
                error("broken")
            }
            val asker = async(dispatcher, CoroutineStart.UNDISPATCHED) { runCatching { checkout(later) } }
            gate.countDown() // the asker has suspended
            assertShowsOrder(asker.await().exceptionOrNull()!!)
        }
    }

    @Test
    fun failuresOfTheLibraryToo() = runBlocking {
        val gate = CountDownLatch(1)
        val slow = system.actor().newActorWithReturn { n: Int -> gate.await().let { n } }
        suspend fun late(): Int = slow.request(1, 1.milliseconds) + 1
        assertEquals("late", methods(sites(assertThrows<AskTimeoutException> { late() }).single()).first().substringAfter('$'))
        gate.countDown()
        val cancelled = system.actor().newActorWithReturn<Int, Int> { throw CancellationException("meant to fail") }
        assertShowsOrder(assertThrows<BehaviorCancelledException> { checkout(cancelled) })
        failing.close()
        assertShowsOrder(assertThrows<ActorStoppedException> { checkout(failing) })
    }

    /** From the actor that has failed to the first asker. */
    @Test
    fun eachActorOnTheWayAddsItsPlace() = runBlocking {
        suspend fun forward(n: Int): Int = failing.request(n) + 1
        val middle = system.actor().onRequest { n: Int -> forward(n) + yield().let { 0 } }
        val failure = assertThrows<IllegalStateException> { checkout(middle) }
        assertEquals(listOf("forward", "order"), sites(failure).map { methods(it).first().substringAfter('$') })
    }

    @Test
    fun anExceptionThatIsThrownAgainDoesNotGrow() = runBlocking {
        val constant = IllegalStateException("constant")
        val actor = system.actor().newActorWithReturn<Int, Int> { throw constant }
        repeat(3) { assertSame(constant, assertThrows<IllegalStateException> { checkout(actor) }) }
        assertShowsOrder(constant)
        suspend fun nested(depth: Int): Int = if (depth == 0) actor.request(1) + 1 else nested(depth - 1) + 1
        repeat(100) { depth -> assertThrows<IllegalStateException> { nested(depth) } }
        assertEquals(16, constant.suppressed.size)
    }

    @Test
    fun aCancellationOfTheAskerGetsNone() = runBlocking {
        val silent = system.actor().onRequest<Any, Int, Int> { awaitCancellation() }
        var failure: Throwable? = null
        val asker = launch(start = CoroutineStart.UNDISPATCHED) {
            failure = runCatching { silent.request(1, 1.days) }.exceptionOrNull()
        }
        asker.cancel()
        asker.join()
        assertTrue(failure is CancellationException && sites(failure!!).isEmpty(), failure.toString())
        silent.stop(io.fibry.StopMode.INTERRUPT)
    }

    /** As in structured concurrency: the failure of a child is the failure of its scope. */
    @Test
    fun theFailureOfAScopeHasThePlaceInItsChild() = runBlocking {
        val failure = assertThrows<IllegalStateException> {
            withContext(Dispatchers.Default) { coroutineScope { listOf(async { checkout(failing) }).sumOf { it.await() } } }
        }
        val shown = generateSequence<Throwable>(failure) { it.cause }.last() // kotlinx may have copied it
        assertShowsOrder(shown)
    }
}
