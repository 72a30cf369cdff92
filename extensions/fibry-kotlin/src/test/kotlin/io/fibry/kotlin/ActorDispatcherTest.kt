package io.fibry.kotlin

import io.fibry.Actor
import io.fibry.ActorSystem
import io.fibry.Overflow
import io.fibry.StopMode
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicBoolean
import java.util.concurrent.atomic.AtomicInteger
import kotlin.random.Random
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.DelicateCoroutinesApi
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.assertThrows
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource

@OptIn(DelicateCoroutinesApi::class) // ATOMIC: a step that runs even if it is cancelled
@Timeout(120)
class ActorDispatcherTest {

    private val system = ActorSystem.create()

    @AfterEach
    fun close() {
        assertTrue(system.close(java.time.Duration.ofSeconds(10)))
    }

    @Test
    fun coroutinesAndMessagesOfOneSenderKeepTheirOrder() = runBlocking {
        val log = mutableListOf<Int>()
        val actor: Actor<Int> = system.actor().newActor { log.add(it) }
        val dispatcher = actor.asCoroutineDispatcher()
        for (n in 0 until 1_000 step 2) {
            actor.tell(n)
            launch(dispatcher, CoroutineStart.DEFAULT) { log.add(n + 1) }
        }
        actor.stop()
        actor.awaitExit()
        assertEquals((0 until 1_000).toList(), log)
    }

    @Test
    fun nothingOverlapsUnderStress() {
        for (seed in 1..20) {
            val inside = AtomicBoolean()
            var steps = 0 // no lock
            fun step() {
                assertTrue(inside.compareAndSet(false, true), "seed $seed")
                steps++
                inside.set(false)
            }
            val actor: Actor<Int> = system.actor().newActor { step() }
            val dispatcher = actor.asCoroutineDispatcher()
            runBlocking(Dispatchers.Default) {
                repeat(4) { sender ->
                    launch {
                        val random = Random(seed * 31 + sender)
                        repeat(500) {
                            when (random.nextInt(3)) {
                                0 -> actor.tell(it)
                                1 -> launch(dispatcher) { step() }
                                else -> withContext(dispatcher) { step() }
                            }
                            if (random.nextInt(8) == 0) yield()
                        }
                    }
                }
            }
            actor.stop()
            runBlocking { actor.awaitExit() }
            assertEquals(2_000, steps, "seed $seed")
        }
    }

    /** Regardless of the time of the end, each coroutine completes, and no two steps overlap. */
    @ParameterizedTest
    @ValueSource(booleans = [false, true])
    fun allCoroutinesCompleteWheneverTheActorEnds(inScope: Boolean) {
        for (seed in 1..150) {
            val random = Random(seed)
            val inside = AtomicBoolean()
            val overlaps = AtomicInteger()
            fun exclusively() {
                if (!inside.compareAndSet(false, true)) overlaps.incrementAndGet()
                Thread.onSpinWait()
                inside.set(false)
            }
            val actor: Actor<Int> = system.actor().newActor { exclusively() }
            val scope = if (inScope) actor.asCoroutineScope() else CoroutineScope(actor.asCoroutineDispatcher() + SupervisorJob())
            val cleaned = AtomicInteger()
            val stopAt = random.nextInt(40)
            val mode = StopMode.entries[random.nextInt(3)]
            val started = (0 until 40).map { n ->
                if (n == stopAt) actor.stop(mode)
                scope.launch(start = CoroutineStart.ATOMIC) {
                    try {
                        repeat(5) {
                            exclusively()
                            yield()
                        }
                    } finally {
                        if (inScope) withContext(NonCancellable) { yield() }
                        exclusively()
                        cleaned.incrementAndGet()
                    }
                }
            }
            runBlocking { started.joinAll() }
            assertEquals(listOf(40, 0), listOf(cleaned.get(), overlaps.get()), "seed $seed")
        }
    }

    @Test
    fun aDiscardedStepIsCancelledAndRuns() = runBlocking {
        val gate = CountDownLatch(1)
        val actor: Actor<Int> = system.actor().newActor { gate.await() }
        val dispatcher = actor.asCoroutineDispatcher()
        val parent = Job()
        actor.tell(1)
        var inside: Thread? = null
        val job = CoroutineScope(parent).launch(dispatcher, CoroutineStart.ATOMIC) {
            inside = Thread.currentThread()
            yield()
        }
        actor.stop(StopMode.DISCARD)
        gate.countDown()
        job.join()
        assertTrue(job.isCancelled)
        assertTrue(inside!!.isVirtual) // the actor's
    }

    @Test
    fun afterTheEndACoroutineIsCancelledAndCleansUpElsewhere() = runBlocking {
        val actor: Actor<Int> = system.actor().newActor { }
        val dispatcher = actor.asCoroutineDispatcher()
        val go = CompletableDeferred<Unit>()
        val begun = CompletableDeferred<Unit>()
        var cause: CancellationException? = null
        val job = CoroutineScope(dispatcher).launch {
            try {
                begun.complete(Unit)
                go.await()
            } catch (e: CancellationException) {
                cause = e
                throw e
            }
        }
        begun.await()
        actor.stop()
        actor.awaitExit()
        assertFalse(job.isCompleted)
        go.complete(Unit)
        job.join()
        assertTrue(cause!!.message!!.contains("has been stopped"), cause.toString())
        val late = CoroutineScope(dispatcher).launch { error("must not run") }
        late.join()
        assertTrue(late.isCancelled)
    }

    @Test
    fun aMailboxThatMayDropStepsIsRefused() {
        val bounded: Actor<Int> = system.actor("full").bounded(1, Overflow.DROP_NEWEST).newActor { }
        val refusal = assertThrows<IllegalArgumentException> { bounded.asCoroutineDispatcher() }
        assertTrue(refusal.message!!.startsWith("actor full has a mailbox with a limit"), refusal.message)
        val ordered: Actor<Int> = system.actor().priority(compareBy<Int> { it }).newActor { }
        assertThrows<IllegalArgumentException> { ordered.asCoroutineScope() }
    }
}
