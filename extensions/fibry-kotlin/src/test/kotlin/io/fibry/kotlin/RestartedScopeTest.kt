package io.fibry.kotlin

import io.fibry.Actor
import io.fibry.ActorBuilder
import io.fibry.ActorSystem
import io.fibry.ReplyActor
import io.fibry.Supervision
import io.fibry.SupervisorSpec
import io.fibry.test.TestSystem
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancel
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

/** The cleanup of coroutines whose scope is cancelled by a restart or by the program. */
@Timeout(60)
class RestartedScopeTest {

    private val system = ActorSystem.create()
    private val behaviors = AtomicInteger()
    private val reply = CompletableDeferred<String>()

    @AfterEach
    fun close() {
        assertTrue(system.close(java.time.Duration.ofSeconds(10)))
    }

    /** Fails at "fail", and replies with the number of its behavior. "launch": a coroutine that asks at its end. */
    private fun ActorBuilder<Any>.asking(asked: () -> ReplyActor<String, String>): ReplyActor<String, String> =
        newActorWithReturnBy { context ->
            val scope = context.self().asCoroutineScope()
            val number = behaviors.incrementAndGet()
            fun handle(message: String): String {
                when (message) {
                    "fail" -> error("broken")
                    "launch" -> scope.launch(start = CoroutineStart.UNDISPATCHED) {
                        try {
                            awaitCancellation()
                        } finally {
                            withContext(NonCancellable) { reply.complete(asked().request("which")) }
                        }
                    }
                }
                return "behavior $number"
            }
            ::handle
        }

    @Test
    fun aRestartDoesNotWaitForeverForACoroutineThatAsksItsActor() = runBlocking {
        lateinit var actor: ReplyActor<String, String>
        actor = system.actor().supervision(Supervision.restart()).asking { actor }
        actor.tellAll(listOf("launch", "fail"))
        assertEquals("behavior 2", reply.await())
    }

    @Test
    fun aRestartDoesNotWaitForeverForACoroutineThatAsksAPausedSibling() = runBlocking {
        fun find(name: String) = system.findWithReturn<String, String>(name).orElseThrow()
        val children = SupervisorSpec.oneForAll()
            .child("asking", SupervisorSpec.Restart.PERMANENT) { it.asking { find("asked") } }
            .child("asked", SupervisorSpec.Restart.PERMANENT) { child ->
                child.newActorWithReturnBy<Any, String, String> { { "asked: $it" } }
            }
        system.actor().newSupervisor(children)
        find("asking").tellAll(listOf("launch", "fail"))
        assertEquals("asked: which", reply.await())
    }

    @Test
    fun theGraceOfARestartFollowsTheVirtualTime() {
        TestSystem.create().use { test ->
            test.expectFailure("asking", IllegalStateException::class.java)
            lateinit var actor: ReplyActor<String, String>
            actor = test.actor("asking").supervision(Supervision.restart()).asking { actor }
            actor.tellAll(listOf("launch", "fail"))
            test.advance(java.time.Duration.ofHours(1))
            assertEquals(2, behaviors.get())
        }
    }

    @Test
    fun aScopeThatTheCleanupCreatesIsCancelled() = runBlocking {
        val scopes = CopyOnWriteArrayList<CoroutineScope>()
        val restarted = CompletableDeferred<Unit>()
        val actor: Actor<Int> = system.actor().supervision(Supervision.restart()).newActorBy { context ->
            val scope = context.self().asCoroutineScope()
            if (behaviors.incrementAndGet() == 2) restarted.complete(Unit)
            fun handle(n: Int) {
                if (n > 0) error("broken")
                scope.launch(start = CoroutineStart.UNDISPATCHED) {
                    try {
                        awaitCancellation()
                    } finally {
                        scopes.add(context.self().asCoroutineScope())
                    }
                }
            }
            ::handle
        }
        actor.tell(0)
        actor.tell(1)
        restarted.await()
        assertFalse(scopes.single().isActive)
    }

    @Test
    fun aFailureAfterTheProgramHasCancelledTheScopeIsAFailureOfTheActor() = runBlocking {
        val actor: Actor<Int> = system.actor().supervision(Supervision.stop()).newActor { }
        val failure = IllegalStateException("broken")
        val begun = CompletableDeferred<Unit>()
        val scope = actor.asCoroutineScope()
        scope.launch {
            try {
                begun.complete(Unit)
                awaitCancellation()
            } finally {
                throw failure
            }
        }
        begun.await()
        scope.cancel()
        assertSame(failure, actor.awaitExit().cause)
    }
}
