package io.fibry.kotlin

import io.fibry.ActorSystem
import io.fibry.Overflow
import io.fibry.ReplyTo
import io.fibry.ThreadStrategy
import io.fibry.batch.BatchOptions
import io.fibry.batch.Batcher
import io.fibry.entity.EntityBehavior
import io.fibry.entity.EntityOptions
import io.fibry.entity.LocalEntities
import io.fibry.flow.FlowSubscriber
import io.fibry.flow.Publishers
import io.fibry.generator.Generator
import io.fibry.generator.GeneratorOptions
import io.fibry.mapreduce.MapReduce
import io.fibry.mapreduce.MapReduceOptions
import io.fibry.pool.PoolOptions
import io.fibry.pool.WorkerPool
import io.fibry.pool.Workers
import io.fibry.schedule.Schedule
import io.fibry.schedule.Timetable
import io.fibry.state.StateMachineSpec
import io.fibry.stereotypes.Stereotypes
import io.fibry.topic.LocalTopic
import io.fibry.topic.TopicOptions
import java.time.Duration
import java.time.Instant
import java.util.concurrent.BlockingQueue
import java.util.concurrent.LinkedBlockingQueue
import java.util.stream.Stream
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

/** Like [KernelLambdasTest], for stereotypes and their implementations. */
@Timeout(60)
class StereotypeLambdasTest {

    private val system = ActorSystem.create()
    private val shapes = Stereotypes.def().`in`(system)
    private val limit = Duration.ofSeconds(30)
    private val virtual = ThreadStrategy.virtual()
    private val log: BlockingQueue<Any> = LinkedBlockingQueue()

    @AfterEach
    fun close() {
        assertTrue(system.close(limit))
    }

    private fun logged(vararg expected: Any) = assertEquals(expected.toSet(), List(expected.size) { log.take() }.toSet())

    @Test
    fun tasks() {
        shapes.runOnce { log.add(1) }
        shapes.runOnceSilent { log.add(2) }
        shapes.schedule({ log.add(3) }, Duration.ofDays(1))
        val never = Timetable.following { now: Instant -> now.plusSeconds(86_400) }.clock { Instant.now() }
        shapes.schedule({ log.add("late") }, never)
        Schedule.start(system.actor().strategy(virtual), { log.add(4) }, Timetable.atFixedRate(Duration.ofDays(1)))
        logged(1, 2, 3, 4)
    }

    @Test
    fun pools() {
        assertEquals(4, shapes.requestReply { n: Int -> n + 1 }.call(3))
        shapes.workers { n: Int -> log.add(n) }.tell(1)
        Workers.start(system.actor().strategy(virtual)) { n: Int -> log.add(n) }.tell(2)
        val keyed = PoolOptions.of(2).keyed { n: Int -> n % 2 }
        val pool = shapes.workerPool({ n: Int -> log.add(n) }, keyed)
        pool.tell(3)
        WorkerPool.start(system.actor().strategy(virtual), { n: Int -> log.add(n) }, PoolOptions.of(1)).tell(4)
        assertEquals(9, shapes.workerPoolWithReturn({ n: Int -> n * n }, PoolOptions.of(1)).call(3))
        val squares = WorkerPool.startWithReturn(system.actor().strategy(virtual), { n: Int -> n * n }, PoolOptions.of(1))
        assertEquals(16, squares.call(4))
        squares.execute { log.add(5) }
        logged(1, 2, 3, 4, 5)
        val asked = shapes.workerPool({ to: ReplyTo<Int> -> to.reply(6) }, PoolOptions.of(1))
        assertEquals(6, asked.ask({ to: ReplyTo<Int> -> to }, limit).join())
    }

    @Test
    fun batches() {
        val single = BatchOptions.of(1, Duration.ofDays(1))
        shapes.batcher({ batch: List<Int> -> log.add(batch.sum()) }, single).tell(1)
        Batcher.start(system.actor(), { batch: List<Int> -> log.add(batch.sum()) }, single).tell(2)
        logged(1, 2)
        assertEquals(4, shapes.batcherWithReturn({ batch: List<Int> -> batch.map { it * it } }, single).call(2))
        assertEquals(9, Batcher.startWithReturn(system.actor(), { all: List<Int> -> all.map { it * it } }, single).call(3))
    }

    @Test
    fun entities() {
        val options = EntityOptions.defaults()
        shapes.entitiesBy<String, Int, Boolean>(options) { key -> { n -> log.add("$key $n") } }.ref("a").tell(1)
        shapes.entitiesBy<String, Int, Unit> { key -> { n -> log.add("$key $n") } }.ref("b").tell(2)
        shapes.entities { key: String -> Logging(key) }.ref("c").tell(3)
        shapes.entities({ key: String -> Logging(key) }, options).ref("d").tell(4)
        LocalEntities.start(system.actor().strategy(virtual), { key: String -> Logging(key) }, options).ref("e").tell(5)
        logged("a 1", "b 2", "c 3", "d 4", "e 5")
        val asked = shapes.entitiesBy { key: String -> { n: Int -> if (n > 0) "$key$n" else null } }
        assertEquals("f1", asked.ref("f").ask(1, limit).join())
        assertNull(asked.ref("f").ask(0, limit).join())
    }

    private inner class Logging(private val key: String) : EntityBehavior<Int, Boolean> {
        override fun handle(message: Int) = log.add("$key $message")
    }

    @Test
    fun flows() {
        val options = GeneratorOptions.defaults()
        val one = shapes.generator<Int>({ out -> out.accept(1) }, options)
        val two = Generator.start<Int>(system.actor(), { out -> out.accept(2) }, options)
        val source = shapes.publisher(one)
        source.subscribe(shapes.flowSubscriber(4) { n: Int -> log.add(n) })
        Publishers.ofIterable(system, two) { log.add("released") }
            .subscribe(FlowSubscriber.start(system.actor(), 4) { n: Int -> log.add(n) })
        logged(1, 2)
        val topic: LocalTopic<Int> = shapes.topic(TopicOptions.defaults())
        val publisher = Publishers.ofActor<Int>(system, topic, { topic.subscribe(it) }, 8, Overflow.DROP_OLDEST)
        publisher.subscribe(shapes.flowSubscriber(4) { n: Int -> log.add(n) })
        topic.publish(3)
        logged(3)
    }

    @Test
    fun mapReduce() {
        val options = MapReduceOptions.defaults()
        val words = { Stream.of("a", "bb", "ccc") }
        assertEquals(6, shapes.mapReduce(words(), { it.length }, 0, { a, b -> a + b }, options).result().join())
        val job = MapReduce.start(system.actor().strategy(virtual), words(), { it.length }, 0, { a, b -> a + b }, options)
        assertEquals(6, job.result().join())
    }

    private enum class Light { RED, GREEN, OFF }

    private data class Switch(val to: Light)

    @Test
    fun stateMachines() {
        val spec = StateMachineSpec.startingIn<Light, Any>(Light.RED)
            .on(Light.RED, Switch::class.java, Light.GREEN) { event, _ -> log.add(event.to) }
            .choose(Light.GREEN, Switch::class.java, { event, _ -> event.to }, listOf(Light.OFF, Light.RED))
            .onEntry(Light.GREEN) { log.add("green") }
            .onExit(Light.RED) { log.add("not red") }
        val light = shapes.stateMachine(spec)
        light.tell(Switch(Light.GREEN))
        light.tell(Switch(Light.OFF))
        logged("not red", Light.GREEN, "green")
    }
}
