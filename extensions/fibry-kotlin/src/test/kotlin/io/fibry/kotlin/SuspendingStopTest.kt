package io.fibry.kotlin

import io.fibry.Actor
import io.fibry.ActorExit
import io.fibry.ActorStoppedException
import io.fibry.ActorSystem
import io.fibry.AskDeadlockException
import io.fibry.ReplyActor
import io.fibry.StopMode
import io.fibry.Supervision
import io.fibry.ThreadStrategy
import java.util.concurrent.ConcurrentLinkedQueue
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.assertThrows

@Timeout(60)
class SuspendingStopTest {

    private val system = ActorSystem.create()
    private val begun = CompletableDeferred<Unit>()
    private val release = CompletableDeferred<Unit>()
    private val log = ConcurrentLinkedQueue<String>()

    @AfterEach
    fun close() {
        release.complete(Unit)
        assertTrue(system.close(java.time.Duration.ofSeconds(10)))
    }

    private fun waiting(): Actor<Int> = system.actor().onMessage { n ->
        begun.complete(Unit)
        release.await()
        log.add("handled $n")
    }

    @Test
    fun aDrainHandlesAllMessages() = runBlocking {
        val actor = waiting()
        actor.tell(1)
        actor.tell(2)
        begun.await()
        actor.stop()
        assertThrows<ActorStoppedException> { actor.tell(3) }
        assertFalse(actor.exit().isDone)
        release.complete(Unit)
        val exit = actor.awaitExit()
        assertEquals(listOf("handled 1", "handled 2"), log.toList())
        assertEquals(ActorExit.Reason.NORMAL, exit.reason)
    }

    @Test
    fun aDiscardFinishesTheRunningMessage() = runBlocking {
        val actor = waiting()
        actor.tell(1)
        actor.tell(2)
        begun.await()
        actor.stop(StopMode.DISCARD)
        release.complete(Unit)
        assertEquals(1L, actor.awaitExit().discarded)
        assertEquals(listOf("handled 1"), log.toList())
    }

    @Test
    fun anInterruptCancelsTheCoroutineAndWaitsForItsCleaning() = runBlocking {
        for (strategy in listOf(ThreadStrategy.virtual(), ThreadStrategy.platform())) {
            val suspended = CompletableDeferred<Unit>()
            val actor = system.actor().strategy(strategy).onRequest { n: Int ->
                try {
                    suspended.complete(Unit)
                    awaitCancellation()
                } catch (e: CancellationException) {
                    log.add("cancelled $n: ${e.message}")
                    throw e
                } finally {
                    withContext(NonCancellable) { withContext(Dispatchers.Default) { delay(1) } }
                    log.add("cleaned")
                }
            }
            val reply = async(start = CoroutineStart.UNDISPATCHED) { runCatching { actor.request(1) } }
            suspended.await()
            actor.stop(StopMode.INTERRUPT)
            val exit = actor.awaitExit()
            assertEquals(listOf("cancelled 1: the actor's handler was interrupted", "cleaned"), log.toList())
            assertEquals(ActorExit.Reason.INTERRUPTED, exit.reason)
            assertTrue(reply.await().exceptionOrNull() is InterruptedException)
            log.clear()
        }
    }

    @Test
    fun anInterruptCancelsCoroutinesOnOtherDispatchers() = runBlocking {
        val cancelled = CompletableDeferred<Boolean>()
        val actor: Actor<Int> = system.actor().onMessage {
            withContext(Dispatchers.Default) {
                try {
                    begun.complete(Unit)
                    awaitCancellation()
                } finally {
                    cancelled.complete(true)
                }
            }
        }
        actor.tell(1)
        begun.await()
        actor.stop(StopMode.INTERRUPT)
        assertTrue(cancelled.await())
        assertTrue(actor.waitForExit(java.time.Duration.ofSeconds(30)))
    }

    @Test
    fun anInterruptCancelsARequest() = runBlocking {
        val elsewhere = ThreadStrategy.platform() // it does not run on the stack of the actor
        val silent = system.actor().strategy(elsewhere).newActorWithReturn { _: Int ->
            begun.complete(Unit)
            runBlocking { release.await() }
        }
        val actor: Actor<Int> = system.actor().onMessage {
            try {
                silent.request(1)
            } catch (e: CancellationException) {
                log.add("cancelled")
                throw e
            }
        }
        actor.tell(1)
        begun.await()
        actor.stop(StopMode.INTERRUPT)
        assertEquals(ActorExit.Reason.INTERRUPTED, actor.awaitExit().reason)
        assertEquals(listOf("cancelled"), log.toList())
    }

    @Test
    fun aCycleIsFound() = runBlocking {
        lateinit var second: ReplyActor<Int, Int>
        val first = system.actor().onRequest { n: Int -> second.request(n) }
        second = system.actor().onRequest { n: Int -> first.request(n) }
        assertThrows<AskDeadlockException> { first.request(1) }
        Unit
    }

    private suspend fun awaitWait(name: String, target: String) {
        while (system.actors().noneMatch { it.name() == name && it.waitsFor() == target }) {
            delay(1)
        }
    }

    /** Another coroutine of the handler could continue first, so the cycle is not a certain deadlock. */
    @Test
    fun aCycleThroughAnotherCoroutineIsShown() = runBlocking {
        lateinit var second: ReplyActor<Int, Int>
        val first = system.actor("first").onRequest { n: Int -> coroutineScope { async { second.request(n) }.await() } }
        second = system.actor("second").onRequest { n: Int -> first.request(n) }
        val reply = async(start = CoroutineStart.UNDISPATCHED) { runCatching { first.request(1) } }
        awaitWait("first", "second")
        awaitWait("second", "first")
        assertEquals(
            listOf("WAITS_FOR_REPLY", "WAITS_FOR_REPLY"),
            system.stuck(java.time.Duration.ZERO).map { it.state().name },
        )
        assertFalse(reply.isCompleted)
        first.stop(StopMode.INTERRUPT)
        assertTrue(reply.await().exceptionOrNull() is InterruptedException)
    }

    @Test
    fun aCodeThatBlocksGetsTheInterruptItself() = runBlocking {
        val actor = system.actor().onRequest { _: Int ->
            begun.complete(Unit)
            Thread.sleep(Long.MAX_VALUE)
        }
        val reply = async(start = CoroutineStart.UNDISPATCHED) { runCatching { actor.request(1) } }
        begun.await()
        actor.stop(StopMode.INTERRUPT)
        assertTrue(reply.await().exceptionOrNull() is InterruptedException)
    }

    @Test
    fun aFailureAppliesTheSupervision() = runBlocking {
        val failure = IllegalStateException("broken")
        val actor: Actor<Int> = system.actor().supervision(Supervision.stop()).onMessage {
            delay(1)
            throw failure
        }
        actor.tell(1)
        assertEquals(failure, actor.awaitExit().cause)
    }

    @Test
    fun closeEndsAHandlerThatSuspendsForEver() = runBlocking {
        val actor: Actor<Int> = system.actor().onMessage { awaitCancellation() }
        actor.tell(1)
        actor.close(java.time.Duration.ofMillis(1))
        assertEquals(ActorExit.Reason.INTERRUPTED, actor.awaitExit().reason)
    }
}
