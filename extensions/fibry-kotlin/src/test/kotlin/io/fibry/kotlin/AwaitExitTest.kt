package io.fibry.kotlin

import io.fibry.Actor
import io.fibry.ActorExit
import io.fibry.ActorSystem
import java.util.concurrent.CompletableFuture
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

@Timeout(60)
class AwaitExitTest {

    private val system = ActorSystem.create()
    private val actor: Actor<Int> = system.actor().newActor { _: Int -> }

    @AfterEach
    fun close() {
        assertTrue(system.close(java.time.Duration.ofSeconds(10)))
    }

    @Test
    fun cancelledWaitsLeaveNothingInTheActor() = runBlocking {
        val exit = CompletableFuture<ActorExit>()
        val counted = object : Actor<Int> by actor {
            override fun exit(): CompletableFuture<ActorExit> = exit.copy() // as the actors of the library
        }
        repeat(100) {
            val waiting = async(start = CoroutineStart.UNDISPATCHED) { counted.awaitExit() }
            waiting.cancelAndJoin()
        }
        assertTrue(exit.numberOfDependents <= 1, "${exit.numberOfDependents} dependents")
    }

    @Test
    fun allWaitsEndWithTheActor() = runBlocking {
        val waiting = (1..100).map { async(start = CoroutineStart.UNDISPATCHED) { actor.awaitExit() } }
        waiting.take(50).forEach { it.cancelAndJoin() }
        actor.stop()
        val exits = waiting.drop(50).awaitAll()
        assertEquals(setOf(actor.awaitExit()), exits.toSet())
        assertTrue(actor.awaitExit().isNormal)
    }
}
