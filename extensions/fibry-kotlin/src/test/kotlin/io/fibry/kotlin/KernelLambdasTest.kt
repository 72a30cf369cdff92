package io.fibry.kotlin

import io.fibry.Actor
import io.fibry.ActorContext
import io.fibry.ActorSystem
import io.fibry.Overflow
import io.fibry.ReplyActor
import io.fibry.ReplyContext
import io.fibry.ReplyTo
import io.fibry.Supervision
import io.fibry.SupervisorSpec
import io.fibry.SystemOptions
import io.fibry.ThreadStrategy
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CountDownLatch
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

/** The functional parameters of the kernel accept Kotlin lambdas. [LambdaCoverageTest] checks that none is missing. */
@Timeout(60)
class KernelLambdasTest {

    private val system = ActorSystem.create()
    private val limit = Duration.ofSeconds(30)
    private val log = ConcurrentLinkedQueue<Any>()

    @AfterEach
    fun close() {
        assertTrue(system.close(limit))
    }

    private fun drained(actor: Actor<*>): List<Any> {
        actor.stop()
        assertTrue(actor.waitForExit(limit))
        return log.toList()
    }

    @Test
    fun actors() {
        val actor = system.actor().onStop { log.add("end") }.onStopRequested { mode -> log.add(mode.name) }
            .newActor { message: String -> log.add(message) }
        actor.tell("hello")
        actor.execute { log.add("code") }
        assertEquals(setOf("hello", "code", "DRAIN", "end"), drained(actor).toSet())
        val declared: Actor<Int> = system.actor().newActor { log.add(it + 1) }
        declared.tell(1)
        assertEquals(2, drained(declared).last())
        assertTrue(system.actor().runOnce { log.add("once") }.waitForExit(limit))
        assertTrue(log.contains("once"))
    }

    @Test
    fun replies() {
        assertEquals(49, system.actor().newActorWithReturn { n: Int -> n * n }.call(7))
        val shop = system.actor().newActor { replyTo: ReplyTo<String> -> replyTo.reply("pen") }
        val pen: String = shop.call({ replyTo: ReplyTo<String> -> replyTo }, limit)
        assertEquals("pen", pen)
        assertEquals("pen", shop.ask({ it: ReplyTo<String> -> it }, limit).join())
        val sink = system.actor().newSink(mutableListOf<String>())
        sink.execute { list -> list.add("Ann") }
        assertEquals(1, sink.call { list -> list.size })
        assertEquals("Ann", sink.ask { list -> list.first() }.join())
    }

    @Test
    fun factories() {
        val counter: Actor<Int> = system.actor().supervision(Supervision.restart()).newActorBy { context ->
            var sum = 0;
            { n ->
                sum += n
                log.add("${context.self() === context.self()} $sum")
            }
        }
        counter.tell(1)
        counter.tell(2)
        assertEquals(listOf<Any>("true 1", "true 3"), drained(counter))
        val sums: ReplyActor<Int, Int> = system.actor().newActorWithReturnBy {
            var sum = 0
            fun add(n: Int): Int {
                sum += n
                return sum
            }
            ::add
        }
        assertEquals(listOf(1, 3), listOf(sums.call(1), sums.call(2)))
        val plain = system.actor().newActorFrom { _: ActorContext<Int> -> Behavior(log) } // a class needs no extension
        plain.tell(5)
        assertTrue(drained(plain).contains(5))
        val square = system.actor().newActorWithReturnFrom { _: ReplyContext<Int, Int> -> Square() }
        assertEquals(25, square.call(5))
    }

    private class Behavior(private val log: MutableCollection<Any>) : io.fibry.ThrowingConsumer<Int> {
        override fun accept(value: Int) {
            log.add(value)
        }
    }

    private class Square : io.fibry.ThrowingFunction<Int, Int> {
        override fun apply(value: Int) = value * value
    }

    @Test
    fun contexts() {
        val other: Actor<Int> = system.actor().newActor { }
        val became = CountDownLatch(1)
        val actor: Actor<String> = system.actor().bounded(10, Overflow.BLOCK).newActorBy { context ->
            context.watch(other) { exit -> context.pipeToSelf(CompletableFuture.completedFuture(exit)) { e, _ -> "${e?.reason()}" } };
            { text ->
                if (text == "begin") {
                    log.add(context.receive({ it.startsWith("w") }, limit).get())
                    context.become {
                        log.add("became $it")
                        became.countDown()
                    }
                    other.stop()
                }
            }
        }
        actor.tellAll(listOf("begin", "wanted"))
        became.await()
        assertEquals(listOf<Any>("wanted", "became NORMAL"), drained(actor))
        val reply: ReplyActor<Int, Int> = system.actor().newActorWithReturnBy { context ->
            { n ->
                context.becomeWithReturn { it * 10 }
                n
            }
        }
        assertEquals(listOf(1, 10), listOf(reply.call(1), reply.call(1)))
    }

    @Test
    fun supervisors() {
        val spec = SupervisorSpec.oneForOne()
            .child("a", SupervisorSpec.Restart.PERMANENT) { it.newActor { message: Int -> log.add(message) } }
            .child("b", SupervisorSpec.Restart.PERMANENT, limit) { it.newActor { message: Int -> log.add(message) } }
        val supervisor = system.actor().newSupervisor(spec)
        supervisor.start("c", SupervisorSpec.Restart.PERMANENT) { it.newActor { message: Int -> log.add(message) } }.join()
        supervisor.start("d", SupervisorSpec.Restart.PERMANENT, limit) { it.newActor { message: Int -> log.add(message) } }.join()
            .tell(4)
        assertEquals(listOf("a", "b", "c", "d"), supervisor.children())
    }

    @Test
    fun systems() {
        val user = ThreadLocal<String?>()
        val carried = SystemOptions.defaults().contextBy {
            val sender = user.get();
            {
                val before = user.get()
                user.set(sender);
                { user.set(before) }
            }
        }
        val options = carried.context(carried.context()!!.and { io.fibry.ContextCarrier.mdc().capture() })
        ActorSystem.create(options.strategy(ThreadStrategy.pool { Thread.startVirtualThread(it) })).use { own ->
            own.onDeadLetter { letter -> log.add(letter.message()) }
            own.onLatency { actor, kind, nanos -> log.add("${actor.name()} $kind $nanos") }.close()
            own.onIncident { incident -> log.add(incident.javaClass) }.use {
                user.set("Ada")
                assertEquals("Ada", own.actor().newActorWithReturn { _: Int -> user.get() }.call(1))
                assertTrue(own.metrics { name -> name == "x" }.isNotEmpty())
            }
        }
        val platform = ThreadStrategy.platform { thread -> thread.name("mine") }
        assertEquals("mine", system.actor().strategy(platform).newActorWithReturn { _: Int -> Thread.currentThread().name }.call(1))
    }
}
