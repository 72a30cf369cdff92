package io.fibry.bench.peers

import io.fibry.ActorSystem
import io.fibry.ThreadStrategy
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.MethodSource

private const val COROUTINES = 1_000
private const val ROUNDS = 50

/**
 * Coroutines on an actor's dispatcher may share plain state, like messages. Seen to fail: on a pool instead of the
 * actor, which loses thousands of increments.
 */
@Timeout(60)
class ConfinementTest {

    private var plain = 0

    @ParameterizedTest
    @MethodSource("strategies")
    fun `coroutines on an actor share plain state`(strategy: ThreadStrategy) {
        val actor = ActorSystem.anonymous().strategy(strategy).newSink("state")
        actor.use { increment(it.asCoroutineDispatcher()) }
        assertEquals(COROUTINES * ROUNDS, plain)
    }

    /** Increments with a pause between read and write, so that another thread can interleave. */
    private fun incrementSlowly() {
        val before = plain
        repeat(20) { Thread.onSpinWait() }
        plain = before + 1
    }

    private fun increment(confined: CoroutineDispatcher) = runBlocking {
        coroutineScope {
            repeat(COROUTINES) { number ->
                launch(confined) {
                    repeat(ROUNDS) {
                        incrementSlowly()
                        yield()
                        if (number % 100 == 0) delay(1) // resumes from another thread
                    }
                }
            }
        }
    }

    companion object {
        @JvmStatic
        fun strategies() = listOf(
            ThreadStrategy.virtual(),
            ThreadStrategy.platform(),
            ThreadStrategy.pool(Thread::startVirtualThread),
        )
    }
}
