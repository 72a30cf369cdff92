package io.fibry.kotlin

import io.fibry.Actor
import io.fibry.ActorBuilder
import io.fibry.ActorExit
import io.fibry.ActorSystem
import io.fibry.StopMode
import io.fibry.Supervision
import io.fibry.SupervisorSpec
import java.lang.ref.WeakReference
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
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
        actor.close(java.time.Duration.ofMillis(1))
        assertEquals(ActorExit.Reason.INTERRUPTED, actor.awaitExit().reason)
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

    /** Fails with the message "fail"; "launch" starts a coroutine whose cleanup suspends. */
    private fun ActorBuilder<Any>.launching(log: MutableList<String>): Actor<String> = newActorBy { context ->
        val scope = context.self().asCoroutineScope()
        log.add("behavior")
        fun handle(message: String) {
            when (message) {
                "fail" -> error("broken")
                "launch" -> scope.launch(start = CoroutineStart.UNDISPATCHED) {
                    try {
                        awaitCancellation()
                    } finally {
                        withContext(NonCancellable) {
                            withContext(Dispatchers.IO) { log.add("cancelled") }
                            log.add("cleaned")
                        }
                    }
                }
                else -> begun.complete(Unit)
            }
        }
        ::handle
    }

    @Test
    fun aRestartCancelsTheCoroutinesOfTheBehaviorAndWaitsForThem() = runBlocking {
        val log = CopyOnWriteArrayList<String>()
        val actor = system.actor().supervision(Supervision.restart()).launching(log)
        actor.tellAll(listOf("launch", "launch", "fail", "go on"))
        begun.await()
        assertEquals(listOf("behavior", "behavior"), log.filter { it == "behavior" })
        assertEquals("behavior", log.last())
        assertEquals(2, log.count { it == "cleaned" })
    }

    @Test
    fun aRestartByASupervisorCancelsTheCoroutinesOfTheBehavior() = runBlocking {
        val log = CopyOnWriteArrayList<String>()
        val child = SupervisorSpec.oneForOne().child("launching", SupervisorSpec.Restart.PERMANENT) { it.launching(log) }
        system.actor().newSupervisor(child)
        val actor = system.find<String>("launching").orElseThrow()
        actor.tellAll(listOf("launch", "fail", "launch", "fail", "go on"))
        begun.await()
        val restart = listOf("cancelled", "cleaned", "behavior")
        assertEquals(listOf("behavior") + restart + restart, log)
    }

    @Test
    fun aRestartCancelsTheScopeOfAHandler() = runBlocking {
        val cancelled = CompletableDeferred<Unit>()
        val actor: Actor<Int> = system.actor().supervision(Supervision.restart()).newActorBy { context ->
            {
                if (it == 0) {
                    context.self().asCoroutineScope().launch { awaitCancellation() } // not begun before the failure
                        .invokeOnCompletion { cancelled.complete(Unit) }
                } else {
                    error("broken")
                }
            }
        }
        actor.tell(0)
        actor.tell(1)
        cancelled.await()
    }

    @Test
    fun aRestartKeepsAScopeFromOutside() = runBlocking {
        val actor: Actor<Int> = system.actor().supervision(Supervision.restart()).newActorBy { { error("broken") } }
        val scope = actor.asCoroutineScope()
        val job = scope.launch { release.await() }
        actor.tell(1)
        assertTrue(scope.launch { }.let { it.join(); !it.isCancelled })
        release.complete(Unit)
        job.join()
        assertFalse(job.isCancelled)
    }

    @Test
    fun aScopeThatWasCancelledByARestartIsNotKept() = runBlocking {
        val scopes = CopyOnWriteArrayList<WeakReference<CoroutineScope>>()
        val actor: Actor<Int> = system.actor().supervision(Supervision.restart()).newActorBy { context ->
            val scope = context.self().asCoroutineScope()
            scopes.add(WeakReference(scope))
            if (scopes.size == 2) begun.complete(Unit)
            val handle = { _: Int -> error("broken $scope") }
            handle
        }
        actor.tell(1)
        begun.await()
        while (scopes.first().get() != null) {
            System.gc()
            assertFalse(Thread.interrupted()) // by the timeout
        }
        actor.stop()
        assertTrue(actor.awaitExit().isNormal)
    }

    @Test
    fun aFailureDuringTheCleanupDoesNotRestartTheNewBehavior() = runBlocking {
        val behaviors = AtomicInteger()
        val actor: Actor<Int> = system.actor().supervision(Supervision.restart()).newActorBy { context ->
            behaviors.incrementAndGet()
            val scope = context.self().asCoroutineScope()
            fun handle(n: Int) {
                if (n > 0) error("broken")
                scope.launch(start = CoroutineStart.UNDISPATCHED) {
                    try {
                        awaitCancellation()
                    } finally {
                        error("logged")
                    }
                }
            }
            ::handle
        }
        actor.tell(0)
        actor.tell(1)
        actor.tell(0)
        actor.stop()
        actor.awaitExit()
        assertEquals(2, behaviors.get())
    }

    @Test
    fun aCoroutineThatBeginsInTheScopeOfAFormerBehaviorIsCancelled() = runBlocking {
        val scopes = CopyOnWriteArrayList<CoroutineScope>()
        val actor: Actor<Int> = system.actor().supervision(Supervision.restart()).newActorBy { context ->
            scopes.add(context.self().asCoroutineScope())
            if (scopes.size == 2) begun.complete(Unit)
            val handle = { _: Int -> error("broken") }
            handle
        }
        actor.tell(1)
        begun.await()
        val job = scopes.first().launch { }
        job.join()
        assertTrue(job.isCancelled)
        assertTrue(scopes.last().isActive)
    }
}
