package io.fibry.kotlin

import io.fibry.ActorSystem
import java.util.concurrent.CompletableFuture
import kotlin.coroutines.ContinuationInterceptor
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

/** The asks of concurrent coroutines of a message are not kept after they have completed. */
@Timeout(60)
class WaitingAsksTest {

    private val system = ActorSystem.create()

    @AfterEach
    fun close() {
        assertTrue(system.close(java.time.Duration.ofSeconds(10)))
    }

    /** Seen to fail: with asks that are removed only if they are the oldest. */
    @Test
    fun completedAsksBehindAnOpenOneAreNotKept() = runBlocking {
        val gate = CompletableDeferred<Unit>()
        val slow = system.actor("slow").onRequest { n: Int -> gate.await().let { n } }
        val echo = system.actor("echo").newActorWithReturn { n: Int -> n }
        val asker = system.actor("asker").onRequest { asks: Int ->
            coroutineScope {
                launch(start = CoroutineStart.UNDISPATCHED) { slow.request(0) }
                repeat(asks) { echo.request(it) }
                val loop = currentCoroutineContext()[ContinuationInterceptor] as MessageLoop
                gate.complete(Unit)
                loop.asks?.size() ?: 0
            }
        }
        val kept = asker.request(100_000)
        assertTrue(kept in 1..100, "$kept asks are kept")
    }

    @Test
    fun theOldestOpenAskIsFirst() {
        val asks = WaitingAsks()
        assertNull(asks.oldest())
        val all = (1..1_000).map { CompletableFuture<Int>().also(asks::add) }
        assertEquals(1_000, asks.size())
        all.reversed().drop(1).forEach { it.complete(1) }
        assertSame(all.last(), asks.oldest())
        assertEquals(1, asks.size())
        all.last().complete(1)
        assertNull(asks.oldest())
    }
}
