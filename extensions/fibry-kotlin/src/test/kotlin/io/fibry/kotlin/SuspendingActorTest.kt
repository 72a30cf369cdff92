package io.fibry.kotlin

import io.fibry.Actor
import io.fibry.ActorSystem
import io.fibry.ReplyContext
import io.fibry.Supervision
import io.fibry.ThreadStrategy
import java.io.IOException
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.coroutines.ContinuationInterceptor
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import kotlinx.coroutines.yield
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.assertThrows

@Timeout(60)
class SuspendingActorTest {

    private val system = ActorSystem.create()

    @AfterEach
    fun close() {
        assertTrue(system.close(java.time.Duration.ofSeconds(10)))
    }

    @Test
    fun oneMessageAtATimeAlsoWhileItIsSuspended() = runBlocking {
        val log = ConcurrentLinkedQueue<String>()
        val release = CompletableDeferred<Unit>()
        val actor: Actor<Int> = system.actor().onMessage { n ->
            log.add("begin $n")
            if (n == 1) release.await() else yield()
            log.add("end $n")
        }
        actor.tell(1)
        actor.tell(2)
        val code = CompletableDeferred<List<String>>()
        actor.execute { code.complete(log.toList()) }
        release.complete(Unit)
        assertEquals(listOf("begin 1", "end 1", "begin 2", "end 2"), code.await())
    }

    @Test
    fun theHandlerResumesInsideTheActor() = runBlocking {
        for (strategy in listOf(ThreadStrategy.virtual(), ThreadStrategy.platform())) {
            val actor = system.actor().strategy(strategy).onRequest { _: Int ->
                val before = Thread.currentThread()
                val elsewhere = withContext(Dispatchers.Default) { Thread.currentThread() }
                delay(1.milliseconds)
                listOf(before, elsewhere, Thread.currentThread())
            }
            val (before, elsewhere, after) = actor.request(1)
            assertEquals(before.isVirtual, after.isVirtual)
            assertTrue(before.isVirtual || before === after) // a platform thread belongs to its actor
            assertTrue(elsewhere !== before && elsewhere !== after)
        }
    }

    @Test
    fun coroutinesOfAHandlerShareItsThreadAndEndWithIt() = runBlocking {
        var count = 0 // no lock
        val actor = system.actor().onRequest { n: Int ->
            coroutineScope {
                repeat(n) {
                    launch {
                        yield()
                        count++
                    }
                }
            }
            count
        }
        assertEquals(100, actor.request(100))
    }

    @Test
    fun aHandlerAsksOthersAtTheSameTime() = runBlocking {
        val both = CompletableDeferred<Unit>()
        val one = system.actor().onRequest { n: Int -> both.await().let { n } }
        val two = system.actor().onRequest { n: Int -> both.complete(Unit).let { n } }
        val sum = system.actor().onRequest { n: Int ->
            coroutineScope { listOf(async { one.request(n) }, async { two.request(n) }).sumOf { it.await() } }
        }
        assertEquals(14, sum.request(7))
    }

    @Test
    fun theAskerGetsTheThrownExceptionAndTheActorContinues() = runBlocking {
        val failure = IOException("disk")
        val actor = system.actor().onRequest { n: Int ->
            yield()
            if (n == 0) throw failure
            n
        }
        assertSame(failure, assertThrows<IOException> { actor.request(0) })
        assertEquals(1, actor.request(1))
        assertSame(failure, assertThrows<IOException> { actor.call(0) })
        assertEquals(2L, actor.also { it.stop() }.awaitExit().failed)
    }

    @Test
    fun supervisionRestartsWithFreshState() = runBlocking {
        val actor = system.actor().supervision(Supervision.restart()).onRequestFrom {
            _: ReplyContext<Int, Int> ->
            var sum = 0
            behavior@{ n ->
                yield()
                check(n >= 0) { "negative" }
                sum += n
                return@behavior sum
            }
        }
        assertEquals(1, actor.request(1))
        assertEquals(3, actor.request(2))
        assertThrows<IllegalStateException> { actor.request(-1) }
        assertEquals(4, actor.request(4))
    }

    @Test
    fun theContextWorksAfterASuspension() = runBlocking {
        val actor = system.actor().onRequestFrom { context: ReplyContext<String, String> ->
            { text ->
                delay(1.milliseconds)
                val replyTo = context.deferReply() // only while a message is handled, on its thread
                context.self().execute { replyTo.reply("later $text") }
                "ignored"
            }
        }
        assertEquals("later x", actor.request("x"))
    }

    @Test
    fun aTimeLimitInsideAHandler() = runBlocking {
        val actor = system.actor().onRequest { n: Int ->
            withTimeoutOrNull(n.milliseconds) { CompletableDeferred<Int>().await() }
        }
        assertNull(actor.request(1))
    }

    /** Another actor on the stack of a handler that waits must not run the steps of that handler. */
    @Test
    fun aHandlerThatBlocksInCallKeepsItsSteps() = runBlocking {
        val other = system.actor().onRequest { n: Int -> yield().let { n + 1 } }
        val actor = system.actor().onRequest { n: Int ->
            var inCall = false
            var overlap = false
            coroutineScope {
                launch { overlap = overlap || inCall }
                inCall = true
                val reply = other.call(n)
                inCall = false
                reply.takeUnless { overlap }
            }
        }
        repeat(100) { assertEquals(it + 1, actor.request(it)) }
    }

    /** A coroutine that is not a child of the handler's job, but uses its dispatcher. */
    @Test
    fun aCoroutineThatOutlivesItsMessageIsCancelledAndCompletes() = runBlocking {
        val go = CompletableDeferred<Unit>()
        val cleaned = CompletableDeferred<Boolean>()
        val job = SupervisorJob()
        val actor = system.actor().onRequest { _: Int ->
            val interceptor = currentCoroutineContext()[ContinuationInterceptor]!!
            CoroutineScope(interceptor + job).launch {
                try {
                    go.await()
                } finally {
                    cleaned.complete(true)
                }
            }
            yield() // it begins
        }
        actor.request(1)
        go.complete(Unit)
        assertTrue(cleaned.await())
        job.children.forEach { it.join() }
    }
}
