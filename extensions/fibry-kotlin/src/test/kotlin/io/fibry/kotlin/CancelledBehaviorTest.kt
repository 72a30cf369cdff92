package io.fibry.kotlin

import io.fibry.Actor
import io.fibry.ActorStoppedException
import io.fibry.ActorSystem
import io.fibry.BehaviorCancelledException
import io.fibry.ReplyActor
import io.fibry.ReplyTo
import io.fibry.StopMode
import java.util.concurrent.CancellationException
import java.util.concurrent.CompletableFuture
import kotlin.time.Duration.Companion.days
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.future.await
import kotlinx.coroutines.isActive
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.supervisorScope
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.assertThrows
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/**
 * A behavior that is cancelled has failed. Its asker is not cancelled: a coroutine that receives a
 * `CancellationException` would end and report nothing.
 */
@Timeout(60)
class CancelledBehaviorTest {

    private val system = ActorSystem.create()

    @AfterEach
    fun close() {
        assertTrue(system.close(java.time.Duration.ofSeconds(10)))
    }

    /** The ways in which a coroutine receives a `CancellationException` that does not cancel it. */
    enum class Cause(val code: suspend () -> Int) {
        TIMEOUT({ withTimeout(1.milliseconds) { awaitCancellation() } }),
        TIMEOUT_ELSEWHERE({ withContext(Dispatchers.Default) { withTimeout(1.milliseconds) { awaitCancellation() } } }),
        THROWN({ throw CancellationException("meant to fail") }),
        OWN_JOB({
            currentCoroutineContext().cancel()
            currentCoroutineContext().ensureActive()
            0
        }),
        SCOPE({ coroutineScope { cancel("meant to fail").let { 0 } } }),
        CHILD({
            supervisorScope {
                val child: Deferred<Int> = async { awaitCancellation() }
                child.cancel()
                child.await()
            }
        }),
        DEFERRED({ CompletableDeferred<Int>().also { it.cancel() }.await() }),
        FUTURE({ CompletableFuture<Int>().also { it.cancel(false) }.await() }),
    }

    /** The ways to ask. */
    private val asks: List<suspend (ReplyActor<Int, Int>) -> Int> =
        listOf({ it.request(1) }, { it.request(1, 1.days) }, { it.ask(1).await() }, { it.call(1) })

    private suspend fun assertFailsAndTheAskerContinues(actor: ReplyActor<Int, Int>) {
        for (ask in asks) {
            var failure: Throwable? = null
            var activeAfterwards = false
            val asker = CompletableDeferred<Boolean>()
            coroutineScope {
                launch {
                    failure = runCatching { ask(actor) }.exceptionOrNull()
                    activeAfterwards = isActive
                }.invokeOnCompletion { asker.complete(it == null) }
            }
            assertInstanceOf(BehaviorCancelledException::class.java, failure)
            assertInstanceOf(CancellationException::class.java, failure!!.cause)
            assertTrue(asker.await() && activeAfterwards, "the asker was cancelled")
            assertThrows<BehaviorCancelledException> { coroutineScope { launch { ask(actor) } } }
        }
        assertFalse(actor.ask(1).also { runCatching { it.join() } }.isCancelled)
    }

    @ParameterizedTest
    @EnumSource
    fun theAskerGetsAFailure(cause: Cause) = runBlocking {
        assertFailsAndTheAskerContinues(system.actor().onRequest { _: Int -> cause.code() })
    }

    @ParameterizedTest
    @EnumSource
    fun aCancellationInABlockingBehaviorFailsTheAsk(cause: Cause) = runBlocking {
        assertFailsAndTheAskerContinues(system.actor().newActorWithReturn { _: Int -> runBlocking { cause.code() } })
    }

    private class Question(val replyTo: ReplyTo<Int>)

    @Test
    fun sinksAndMessagesWithAnAddressFailInTheSameWay() = runBlocking {
        val thrown = CancellationException("meant to fail")
        val sink = system.actor().newSink(1)
        assertSame(thrown, assertThrows<BehaviorCancelledException> { sink.request<Int, Int> { throw thrown } }.cause)
        val refuses: Actor<Question> = system.actor().newActor { it.replyTo.fail(thrown) }
        assertSame(thrown, assertThrows<BehaviorCancelledException> { refuses.request<Question, Int>(1.days) { Question(it) } }.cause)
        val throws: Actor<Question> = system.actor().newActor { throw thrown }
        assertSame(thrown, assertThrows<BehaviorCancelledException> { throws.request<Question, Int>(1.days) { Question(it) } }.cause)
    }

    /** The close interrupts the running behavior, and discards the waiting message. */
    @Test
    fun theEndOfTheSystemIsAFailureOfTheRequest() = runBlocking {
        val other = ActorSystem.create()
        val begun = CompletableDeferred<Unit>()
        val actor = other.actor().onRequest { _: Int ->
            begun.complete(Unit)
            awaitCancellation()
        }
        val running = async(start = CoroutineStart.UNDISPATCHED) { runCatching<Int> { actor.request(1) }.exceptionOrNull() }
        val waiting = async(start = CoroutineStart.UNDISPATCHED) { runCatching<Int> { actor.request(2) }.exceptionOrNull() }
        begun.await()
        other.close(java.time.Duration.ZERO)
        assertInstanceOf(InterruptedException::class.java, running.await())
        assertInstanceOf(ActorStoppedException::class.java, waiting.await())
        assertTrue(other.close(java.time.Duration.ofMinutes(1)))
        assertTrue(isActive)
    }

    @Test
    fun anActorBetweenThemDoesNotHideIt() = runBlocking {
        val far = system.actor().onRequest { _: Int -> Cause.TIMEOUT.code() }
        val near = system.actor().onRequest { n: Int -> far.request(n) }
        val failure = assertThrows<BehaviorCancelledException> { near.request(1) }
        assertTrue(failure.cause is TimeoutCancellationException, failure.toString())
        assertTrue(failure.message!!.contains("Timed out waiting for 1 ms"), failure.message)
    }

    /** An actor of another kind, whose future was cancelled by others. */
    @Test
    fun aFutureThatOthersCancelDoesNotCancelTheAsker() = runBlocking {
        val actor = system.actor().newActorWithReturn { n: Int -> n }
        for (future in listOf(CompletableFuture<Int>(), CompletableFuture<Int>().thenApply { it })) {
            val other = object : ReplyActor<Int, Int> by actor {
                override fun ask(message: Int): CompletableFuture<Int> = future
            }
            val failure = async(start = CoroutineStart.UNDISPATCHED) { runCatching { other.request(1) }.exceptionOrNull() }
            future.cancel(false)
            assertInstanceOf(BehaviorCancelledException::class.java, failure.await())
        }
    }

    @Test
    fun aCancellationOfTheAskerRemainsACancellation() = runBlocking {
        val begun = CompletableDeferred<Unit>()
        val release = CompletableDeferred<Unit>()
        val actor = system.actor().onRequest { n: Int ->
            begun.complete(Unit)
            release.await()
            n
        }
        var failure: Throwable? = null
        val asker = launch(start = CoroutineStart.UNDISPATCHED) { failure = runCatching { actor.request(1) }.exceptionOrNull() }
        begun.await()
        asker.cancel("enough")
        asker.join()
        release.complete(Unit)
        assertInstanceOf(CancellationException::class.java, failure)
        assertThrows<TimeoutCancellationException> {
            withTimeout(1.milliseconds) { system.actor().onRequest { _: Int -> release2.await() }.request(1) }
        }
        release2.complete(1)
        Unit
    }

    private val release2 = CompletableDeferred<Int>()

    /** The interrupt of a stop cancels the behavior as well, and wins over a limit of the behavior. */
    @Test
    fun anInterruptStaysAnInterrupt() = runBlocking {
        val begun = CompletableDeferred<Unit>()
        val actor = system.actor().onRequest { _: Int ->
            withTimeout(1.days) {
                begun.complete(Unit)
                awaitCancellation()
            }
        }
        val failure = async(start = CoroutineStart.UNDISPATCHED) { runCatching { actor.request(1) }.exceptionOrNull() }
        begun.await()
        actor.stop(StopMode.INTERRUPT)
        assertInstanceOf(InterruptedException::class.java, failure.await())
        Unit
    }

    /** As with an executor that was shut down. The cause names the actor. */
    @Test
    fun aDispatcherOfAStoppedActorCancelsWithAReason() = runBlocking {
        val actor = system.actor("stopped").newActor { _: Int -> }
        val dispatcher = actor.asCoroutineDispatcher()
        actor.close()
        val failure = runCatching { withContext(dispatcher) { 1 } }.exceptionOrNull()
        assertInstanceOf(CancellationException::class.java, failure)
        assertEquals("actor stopped has been stopped", failure!!.message)
        assertInstanceOf(ActorStoppedException::class.java, generateSequence(failure) { it.cause }.last())
        assertTrue(currentCoroutineContext().isActive)
    }
}
