package io.fibry.kotlin

import io.fibry.Actor
import io.fibry.ActorSystem
import io.fibry.StopMode
import io.fibry.Supervision
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.delay
import kotlinx.coroutines.isActive
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.assertThrows

@Timeout(60)
class ActorScopeTest {

    private val system = ActorSystem.create()
    private val begun = CompletableDeferred<Unit>()
    private val release = CompletableDeferred<Unit>()

    @AfterEach
    fun close() {
        release.complete(Unit)
        assertTrue(system.close(java.time.Duration.ofSeconds(10)))
    }

    @Test
    fun coroutinesShareTheStateOfTheBehavior() = runBlocking {
        val actor: Actor<Int> = system.actor().newActorBy { context ->
            val scope = context.self().asCoroutineScope()
            val prices = mutableListOf<Int>()
            fun handle(n: Int) {
                scope.launch {
                    delay(1)
                    prices.add(n)
                    if (prices.size == 100) begun.complete(Unit)
                }
            }
            ::handle
        }
        repeat(100) { actor.tell(it) }
        begun.await()
    }

    @Test
    fun theActorEndsAfterItsCoroutines() = runBlocking {
        val log = mutableListOf<String>()
        val actor: Actor<Int> = system.actor().newActor { log.add("message $it") }
        val scope = actor.asCoroutineScope()
        scope.launch {
            try {
                begun.complete(Unit)
                awaitCancellation()
            } finally {
                log.add("cancelled inside: ${Thread.currentThread().isVirtual}")
                withContext(NonCancellable) {
                    withContext(Dispatchers.IO) { release.await() }
                    log.add("cleaned inside: ${Thread.currentThread().isVirtual}")
                }
            }
        }
        begun.await()
        actor.tell(1)
        actor.stop()
        assertFalse(actor.waitForExit(java.time.Duration.ofMillis(20)))
        release.complete(Unit)
        assertTrue(actor.awaitExit().isNormal)
        assertEquals(listOf("message 1", "cancelled inside: true", "cleaned inside: true"), log)
        assertFalse(scope.isActive)
    }

    @Test
    fun anInterruptEndsTheWaitForCoroutines() = runBlocking {
        val actor: Actor<Int> = system.actor().newActor { }
        val job = actor.asCoroutineScope().launch {
            withContext(NonCancellable) {
                begun.complete(Unit)
                release.await()
            }
        }
        begun.await()
        assertTrue(actor.close(java.time.Duration.ofMillis(1)))
        assertFalse(job.isCompleted)
        release.complete(Unit)
        job.join()
    }

    @Test
    fun aFailureOfACoroutineIsAFailureOfTheActor() = runBlocking {
        val actor: Actor<Int> = system.actor().supervision(Supervision.stop()).newActor { }
        val failure = IllegalStateException("broken")
        val scope = actor.asCoroutineScope()
        val other = scope.launch { awaitCancellation() }
        scope.launch { throw failure }
        assertSame(failure, actor.awaitExit().cause)
        other.join()
    }

    @Test
    fun aFailureDoesNotAffectOtherCoroutines() = runBlocking {
        val actor: Actor<Int> = system.actor().newActor { }
        val scope = actor.asCoroutineScope()
        scope.launch { error("logged") }.join()
        assertEquals(7, scope.async { 7 }.await())
        assertThrows<IllegalStateException> { scope.async { error("to await") }.await() }
        actor.stop()
        assertEquals(1L, actor.awaitExit().failed)
    }

    @Test
    fun afterTheEndNothingStarts() = runBlocking {
        val actor: Actor<Int> = system.actor().newActor { }
        val scope = actor.asCoroutineScope()
        actor.stop(StopMode.DISCARD)
        actor.awaitExit()
        val job = scope.launch { error("must not run") }
        job.join()
        assertTrue(job.isCancelled)
        assertFalse(actor.asCoroutineScope().isActive)
    }
}
