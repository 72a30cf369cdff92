package io.fibry.stereotypes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorExit.Reason;
import io.fibry.ActorSystem;
import io.fibry.Overflow;
import io.fibry.ThreadStrategy;
import io.fibry.batch.BatchOptions;
import io.fibry.generator.GeneratorOptions;
import io.fibry.http.HttpRoutes;
import io.fibry.mapreduce.MapReduceOptions;
import io.fibry.pool.PoolOptions;
import io.fibry.schedule.Timetable;
import io.fibry.state.StateMachineSpec;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import io.fibry.topic.TopicOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeftovers.class)
@Timeout(60)
class StereotypesTest {

    @AllStrategies
    void aSinkRunsCodeOnItsState(ThreadStrategy strategy) {
        try (var system = ActorSystem.create()) {
            var sink = Stereotypes.with(strategy).in(system).sink(new AtomicInteger());
            var seen = new CompletableFuture<Integer>();
            sink.tell("discarded");
            sink.execute(state -> state.addAndGet(2));
            sink.execute(state -> seen.complete(state.incrementAndGet()));
            assertEquals(3, seen.join());
        }
    }

    @AllStrategies
    void aSinkCanBeWithoutState(ThreadStrategy strategy) {
        try (var system = ActorSystem.create()) {
            var seen = new CompletableFuture<Object>();
            Stereotypes.with(strategy).in(system).sink(null).execute(state -> seen.complete(state));
            assertNull(seen.join());
        }
    }

    @AllStrategies
    void runOnceRunsOnceAndEnds(ThreadStrategy strategy) {
        try (var system = ActorSystem.create()) {
            var runs = new AtomicInteger();
            var actor = Stereotypes.with(strategy).in(system).runOnce(runs::incrementAndGet);
            actor.waitForExit();
            assertEquals(1, runs.get());
            assertTrue(actor.exit().join().isNormal());
        }
    }

    @AllStrategies
    void aCheckedExceptionOfRunOnceSilentIsTheCauseOfItsEnd(ThreadStrategy strategy) {
        try (var log = new LogLines();
                var system = ActorSystem.create()) {
            var actor = Stereotypes.with(strategy).in(system).runOnceSilent(() -> {
                throw new IOException("on purpose");
            });
            var exit = actor.exit().join();
            assertEquals(Reason.FAILED, exit.reason());
            assertEquals("on purpose", exit.cause().getMessage());
            assertEquals(1, log.with(actor.name()).size());
        }
    }

    @AllStrategies
    void requestReplyReplies(ThreadStrategy strategy) throws Exception {
        try (var system = ActorSystem.create()) {
            var square = Stereotypes.with(strategy).in(system).requestReply((Integer n) -> n * n);
            assertEquals(49, square.ask(7).get());
        }
    }

    @Test
    void eachVariantRunsOnTheThreadOfItsName() {
        assertTrue(isVirtual(Stereotypes.fibers()));
        assertFalse(isVirtual(Stereotypes.threads()));
        assertTrue(isVirtual(Stereotypes.def()));
        try (var system = ActorSystem.create(ThreadStrategy.platform())) {
            assertFalse(isVirtual(Stereotypes.def().in(system)));
            assertTrue(isVirtual(Stereotypes.fibers().in(system)));
        }
    }

    @Test
    void defFollowsTheDefaultStrategy() {
        var def = Stereotypes.def();
        ActorSystem.setDefaultStrategy(ThreadStrategy.platform());
        try {
            assertFalse(isVirtual(def));
        } finally {
            ActorSystem.setDefaultStrategy(ThreadStrategy.virtual());
        }
        assertTrue(isVirtual(def));
    }

    @Test
    void nullCodeIsRefused() {
        try (var system = ActorSystem.create()) {
            var stereotypes = Stereotypes.def().in(system);
            assertThrows(NullPointerException.class, () -> stereotypes.runOnce(null));
            assertThrows(NullPointerException.class, () -> stereotypes.runOnceSilent(null));
            assertThrows(NullPointerException.class, () -> stereotypes.requestReply(null));
            assertThrows(NullPointerException.class, () -> stereotypes.schedule(null, Duration.ofSeconds(1)));
            assertThrows(NullPointerException.class, () -> stereotypes.schedule(() -> {}, (Duration) null));
            assertThrows(NullPointerException.class, () -> stereotypes.schedule(() -> {}, (Timetable) null));
            assertThrows(NullPointerException.class, () -> stereotypes.workers(null));
            var batches = BatchOptions.of(10, Duration.ofDays(1));
            assertThrows(NullPointerException.class, () -> stereotypes.workerPool(null, PoolOptions.of(1)));
            assertThrows(NullPointerException.class, () -> stereotypes.workerPool(message -> {}, null));
            assertThrows(NullPointerException.class, () -> stereotypes.workerPoolWithReturn(null, PoolOptions.of(1)));
            assertThrows(NullPointerException.class, () -> stereotypes.batcher(null, batches));
            assertThrows(NullPointerException.class, () -> stereotypes.batcher(batch -> {}, null));
            assertThrows(NullPointerException.class, () -> stereotypes.batcherWithReturn(null, batches));
            assertThrows(NullPointerException.class, () -> stereotypes.generator(null, GeneratorOptions.defaults()));
            assertThrows(NullPointerException.class, () -> stereotypes.generator(out -> {}, null));
            assertThrows(
                    NullPointerException.class,
                    () -> stereotypes.mapReduce(null, n -> n, 0, (sum, n) -> sum, MapReduceOptions.defaults()));
            assertThrows(NullPointerException.class, () -> stereotypes.stateMachine(null));
            assertThrows(NullPointerException.class, () -> stereotypes.topic(null));
            assertThrows(NullPointerException.class, () -> stereotypes.flowSubscriber(1, null));
            assertThrows(NullPointerException.class, () -> stereotypes.publisher(null));
            assertThrows(NullPointerException.class, () -> stereotypes.publisher(null, 1, Overflow.DROP_OLDEST));
            assertThrows(NullPointerException.class, () -> stereotypes.entities(null));
            assertThrows(NullPointerException.class, () -> stereotypes.entities(key -> message -> message, null));
            assertThrows(NullPointerException.class, () -> stereotypes.embeddedHttpServer(0, (HttpRoutes) null));
            assertThrows(NullPointerException.class, () -> stereotypes.tcpAcceptor(0, null));
            assertThrows(NullPointerException.class, () -> stereotypes.tcpAcceptorSilent(0, null, null));
            assertThrows(NullPointerException.class, () -> stereotypes.tcpForwarder(0, null));
            assertThrows(NullPointerException.class, () -> stereotypes.lineServer(0, 100, null));
            assertThrows(NullPointerException.class, () -> stereotypes.udpServer(0, null));
            assertThrows(NullPointerException.class, () -> stereotypes.in(null));
            assertThrows(NullPointerException.class, () -> Stereotypes.with(null));
        }
    }

    @Test
    void aClosedSystemMakesNoActors() {
        var system = ActorSystem.create();
        system.close();
        var stereotypes = Stereotypes.def().in(system);
        assertThrows(IllegalStateException.class, () -> stereotypes.sink(null));
        assertThrows(IllegalStateException.class, () -> stereotypes.schedule(() -> {}, Duration.ofSeconds(1)));
        assertThrows(IllegalStateException.class, () -> stereotypes.workers(message -> {}));
        var batches = BatchOptions.of(10, Duration.ofDays(1));
        assertThrows(IllegalStateException.class, () -> stereotypes.batcher(batch -> {}, batches));
        var begin = StateMachineSpec.startingIn("begin");
        assertThrows(IllegalStateException.class, () -> stereotypes.stateMachine(begin));
        assertThrows(IllegalStateException.class, () -> stereotypes.topic(TopicOptions.defaults()));
        assertThrows(IllegalStateException.class, () -> stereotypes.entities(key -> message -> message));
        assertThrows(IllegalStateException.class, () -> stereotypes.flowSubscriber(1, item -> {}));
        assertThrows(IllegalStateException.class, () -> stereotypes.embeddedHttpServer(0, exchange -> ""));
        assertThrows(IllegalStateException.class, () -> stereotypes.tcpAcceptor(0, connection -> {}));
        assertThrows(IllegalStateException.class, () -> stereotypes.udpServer(0, (datagram, server) -> {}));
    }

    private static boolean isVirtual(Stereotypes stereotypes) {
        var virtual = new CompletableFuture<Boolean>();
        stereotypes
                .runOnce(() -> virtual.complete(Thread.currentThread().isVirtual()))
                .waitForExit();
        return virtual.join();
    }
}
