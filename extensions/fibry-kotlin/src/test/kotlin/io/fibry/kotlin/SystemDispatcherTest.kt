package io.fibry.kotlin

import io.fibry.ActorSystem
import io.fibry.SystemOptions
import io.fibry.ThreadStrategy
import java.util.concurrent.CountDownLatch
import java.util.concurrent.CyclicBarrier
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.runInterruptible
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

@Timeout(60)
class SystemDispatcherTest {

    private val system = ActorSystem.create()
    private val dispatcher = system.asCoroutineDispatcher()
    private val square = system.actor().newActorWithReturn { n: Int -> n * n }

    @AfterEach
    fun close() {
        assertTrue(system.close(java.time.Duration.ofSeconds(10)))
    }

    @Test
    fun coroutinesAndActorsShareTheWorkers() = runBlocking {
        val threads = system.actor().newActorWithReturn { _: Int -> Thread.currentThread() }
        withContext(dispatcher) {
            for (thread in listOf(Thread.currentThread(), threads.request(1), Thread.currentThread())) {
                assertTrue(thread.isVirtual)
                assertTrue(thread.name.startsWith("fibry-worker"), thread.name)
            }
        }
    }

    @Test
    fun coroutinesRunOnVirtualThreadsAlsoIfTheActorsDoNot() = runBlocking {
        ActorSystem.create(SystemOptions.defaults().strategy(ThreadStrategy.platform())).use { platform ->
            withContext(platform.asCoroutineDispatcher()) { assertTrue(Thread.currentThread().isVirtual) }
        }
    }

    @Test
    fun manyCoroutinesAsk() = runBlocking {
        val replies = withContext(dispatcher) { (1..10_000).map { async { square.request(it) } }.awaitAll() }
        assertEquals((1..10_000).map { it * it }, replies)
    }

    /** All coroutines wait for each other: a dispatcher with fewer threads would never complete. */
    @Test
    fun anyNumberOfCoroutinesMayBlock() = runBlocking {
        val barrier = CyclicBarrier(2_000)
        withContext(dispatcher) {
            repeat(barrier.parties) {
                launch {
                    yield()
                    barrier.await()
                }
            }
        }
    }

    @Test
    fun aBlockedCoroutineDoesNotDelayOthers() = runBlocking {
        val gate = CountDownLatch(1)
        val blocked = launch(dispatcher) { gate.await() }
        withContext(dispatcher) {
            for (i in 1..1_000) {
                assertEquals(i * i, square.request(i))
            }
        }
        gate.countDown()
        blocked.join()
    }

    @Test
    fun blockedCodeIsInterruptible() = runBlocking {
        val begun = CompletableDeferred<Unit>()
        val job = launch {
            runInterruptible(dispatcher) {
                begun.complete(Unit)
                Thread.sleep(Long.MAX_VALUE)
            }
        }
        begun.await()
        job.cancelAndJoin()
        assertEquals(4, withContext(dispatcher) { square.request(2) })
    }

    /** A coroutine that is suspended while the system closes, and one that begins later. */
    @Test
    fun afterTheCloseCoroutinesAreCancelledAndCleanUp() = runBlocking {
        val begun = CompletableDeferred<Unit>()
        val resumed = CompletableDeferred<Unit>()
        val cleanedUp = CompletableDeferred<Throwable>()
        val suspended = CoroutineScope(dispatcher).launch {
            begun.complete(Unit)
            try {
                resumed.await()
                yield()
            } catch (e: CancellationException) {
                cleanedUp.complete(e)
                throw e
            }
        }
        begun.await()
        assertTrue(system.close(java.time.Duration.ofSeconds(10)))
        resumed.complete(Unit)
        suspended.join()
        assertTrue(suspended.isCancelled)
        assertEquals("the actor system has been closed", cleanedUp.await().message)
        val late = CoroutineScope(dispatcher).launch { error("has begun") }
        late.join()
        assertTrue(late.isCancelled)
    }

    /** Whatever the close interrupts or drops, each coroutine completes, and each that has begun cleans up once. */
    @Test
    fun aCloseLosesNoCoroutine() = runBlocking {
        repeat(100) {
            val closed = ActorSystem.create()
            val begun = AtomicInteger()
            val ended = AtomicInteger()
            val scope = CoroutineScope(closed.asCoroutineDispatcher() + Job())
            val jobs = (1..100).map {
                scope.launch {
                    begun.incrementAndGet()
                    try {
                        repeat(10) { yield() }
                    } finally {
                        ended.incrementAndGet()
                    }
                }
            }
            closed.close(java.time.Duration.ZERO)
            jobs.joinAll()
            assertEquals(begun.get(), ended.get())
        }
    }
}
