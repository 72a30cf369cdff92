package io.fibry.kotlin

import io.fibry.Actor
import io.fibry.ActorStoppedException
import io.fibry.ActorSystem
import io.fibry.MailboxFullException
import io.fibry.Overflow
import io.fibry.generator.GeneratorOptions
import io.fibry.stereotypes.Stereotypes
import io.fibry.topic.LocalTopic
import io.fibry.topic.TopicOptions
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CountDownLatch
import java.util.concurrent.Semaphore
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.flow.asFlow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.onEach
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.jdk9.asPublisher
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.assertThrows

@Timeout(60)
class FlowTest {

    private val system = ActorSystem.create()
    private val gate = Semaphore(0)

    @AfterEach
    fun close() {
        gate.release(1_000_000)
        assertTrue(system.close(java.time.Duration.ofSeconds(10)))
    }

    /** Its handler takes a permit for each message. */
    private fun bounded(capacity: Int, overflow: Overflow, handled: MutableCollection<Int>): Actor<Int> =
        system.actor("slow").bounded(capacity, overflow).newActor { n: Int ->
            gate.acquire()
            handled.add(n)
        }

    /** The flow and this test share one thread, which would be blocked if `send` blocked. */
    @Test
    fun theMailboxLimitsTheFlow() = runBlocking {
        val emitted = AtomicInteger()
        val handled = ConcurrentLinkedQueue<Int>()
        val actor = bounded(10, Overflow.BLOCK, handled)
        val job = launch { (1..1_000).asFlow().onEach { emitted.incrementAndGet() }.sendTo(actor) }
        while (emitted.get() < 12 || actor.mailboxSize().orElseThrow() < 10) yield()
        repeat(1_000) { yield() }
        assertEquals(12, emitted.get()) // one is handled, ten wait, one is being sent
        repeat(100) {
            gate.release()
            while (emitted.get() < 13 + it) yield()
            assertTrue(emitted.get() - handled.size <= 13, "${emitted.get()} emitted, ${handled.size} handled")
        }
        gate.release(1_000)
        job.join()
        actor.stop()
        actor.awaitExit()
        assertEquals((1..1_000).toList(), handled.toList())
    }

    @Test
    fun aCancelledSendIsNotSent() = runBlocking {
        val handled = ConcurrentLinkedQueue<Int>()
        val actor = bounded(1, Overflow.BLOCK, handled)
        actor.tell(1)
        while (actor.mailboxSize().orElseThrow() > 0) yield()
        actor.send(2)
        val third = launch(start = CoroutineStart.UNDISPATCHED) { actor.send(3) }
        third.cancelAndJoin()
        gate.release(2)
        actor.stop()
        actor.awaitExit()
        assertEquals(listOf(1, 2), handled.toList())
    }

    @Test
    fun aStoppedActorEndsTheFlow() = runBlocking {
        val actor = bounded(1, Overflow.BLOCK, mutableListOf())
        var cancelled = false
        val result = async {
            runCatching { flow { try { while (true) emit(1) } finally { cancelled = true } }.sendTo(actor) }
        }
        while (actor.mailboxSize().orElseThrow() < 1) yield()
        actor.stop()
        assertTrue(result.await().exceptionOrNull() is ActorStoppedException)
        assertTrue(cancelled)
    }

    @Test
    fun otherPoliciesMatchTell() = runBlocking {
        val handled = ConcurrentLinkedQueue<Int>()
        val actor = bounded(1, Overflow.FAIL, handled)
        actor.send(1)
        while (actor.mailboxSize().orElseThrow() > 0) yield()
        actor.send(2)
        assertThrows<MailboxFullException> { actor.send(3) }
        Unit
    }

    @Test
    fun aMailboxWithoutALimitIsRefused() = runBlocking {
        val actor: Actor<Int> = system.actor("endless").newActor { }
        val refusal = assertThrows<IllegalArgumentException> { (1..2).asFlow().sendTo(actor) }
        assertTrue(refusal.message!!.contains("bounded(capacity, Overflow.BLOCK)"), refusal.message)
    }

    @Test
    fun aFlowOfReplies() = runBlocking {
        val square = system.actor().newActorWithReturn { n: Int -> n * n }
        assertEquals(listOf(1, 4, 9), (1..3).asFlow().map { square.request(it) }.toList())
    }

    @Test
    fun aSubscriberActorHasDemand() = runBlocking {
        val emitted = AtomicInteger()
        val subscriber = Stereotypes.def().`in`(system).flowSubscriber(16) { _: Int -> gate.acquire() }
        (1..1_000).asFlow().onEach { emitted.incrementAndGet() }.asPublisher(Dispatchers.Default).subscribe(subscriber)
        gate.release(100)
        while (emitted.get() < 100) yield()
        assertTrue(emitted.get() <= 117, emitted.toString())
        gate.release(1_000)
        assertTrue(subscriber.awaitExit().isNormal)
        assertEquals(1_000, emitted.get())
    }

    @Test
    fun aGeneratorAsAFlow() = runBlocking {
        val made = AtomicInteger()
        val interrupted = CountDownLatch(1)
        val numbers = Stereotypes.def().`in`(system).generator<Int>(
            { out ->
                try {
                    while (true) out.accept(made.incrementAndGet())
                } finally {
                    interrupted.countDown()
                }
            },
            GeneratorOptions.defaults(),
        )
        assertEquals((1..100).toList(), numbers.asFlow(system).take(100).toList())
        interrupted.await()
        assertTrue(made.get() < 1_000, "$made: its code waits for the collector")
        assertThrows<IllegalStateException> { numbers.asFlow(system).toList() }
        Unit
    }

    @Test
    fun aTopicAsAFlow() = runBlocking {
        val topic: LocalTopic<Int> = Stereotypes.def().`in`(system).topic(TopicOptions.defaults())
        val all = async(start = CoroutineStart.UNDISPATCHED) {
            topic.asFlow(100, Overflow.DROP_OLDEST, system).toList()
        }
        while (topic.stats().subscribers() == 0) yield()
        repeat(50) { topic.publish(it) }
        topic.stop()
        assertEquals((0 until 50).toList(), all.await())
        assertFalse(all.isCancelled)
    }
}
