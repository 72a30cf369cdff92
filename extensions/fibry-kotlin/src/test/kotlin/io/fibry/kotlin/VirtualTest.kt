package io.fibry.kotlin

import java.util.concurrent.CyclicBarrier
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.runInterruptible
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.CompletableDeferred
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

@Timeout(60)
class VirtualTest {

    /** All coroutines wait for each other: a dispatcher with fewer threads would never complete. */
    @Test
    fun anyNumberOfHandlersMayBlock() = runBlocking {
        val barrier = CyclicBarrier(10_000)
        withContext(Dispatchers.Virtual) {
            repeat(barrier.parties) {
                launch {
                    yield()
                    assertTrue(Thread.currentThread().isVirtual)
                    barrier.await()
                }
            }
        }
        assertEquals("Dispatchers.Virtual", Dispatchers.Virtual.toString())
    }

    @Test
    fun blockedCodeIsInterruptible() = runBlocking {
        val begun = CompletableDeferred<Unit>()
        val job = launch {
            runInterruptible(Dispatchers.Virtual) {
                begun.complete(Unit)
                Thread.sleep(Long.MAX_VALUE)
            }
        }
        begun.await()
        job.cancelAndJoin()
    }
}
