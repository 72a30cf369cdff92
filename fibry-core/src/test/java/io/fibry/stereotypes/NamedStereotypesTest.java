package io.fibry.stereotypes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.batch.BatchOptions;
import io.fibry.generator.GeneratorOptions;
import io.fibry.http.HttpRoutes;
import io.fibry.mapreduce.MapReduceOptions;
import io.fibry.pool.PoolOptions;
import io.fibry.state.StateMachineSpec;
import io.fibry.testing.NoLeftovers;
import io.fibry.topic.TopicOptions;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The names of stereotypes. */
@ExtendWith(NoLeftovers.class)
@Timeout(60)
class NamedStereotypesTest {

    private static final BatchOptions BATCHES = BatchOptions.of(10, Duration.ofDays(1));

    @Test
    void actors() {
        var go = new CompletableFuture<Void>();
        checkNamed(s -> s.sink(null));
        checkNamed(s -> s.requestReply((Integer n) -> n));
        checkNamed(s -> s.schedule(() -> {}, Duration.ofDays(1)));
        checkNamed(s -> s.workers(message -> {}));
        checkNamed(s -> s.workerPool(message -> {}, PoolOptions.of(1)));
        checkNamed(s -> s.workerPoolWithReturn(message -> message, PoolOptions.of(1)));
        checkNamed(s -> s.batcher((List<String> batch) -> {}, BATCHES));
        checkNamed(s -> s.batcherWithReturn((List<String> batch) -> batch, BATCHES));
        checkNamed(s -> s.generator(
                (Consumer<Integer> out) -> IntStream.range(0, 1_000).forEach(out::accept),
                GeneratorOptions.defaults()));
        checkNamed(
                s -> s.mapReduce(
                        Stream.generate(() -> 1), (Integer n) -> n, 0, Integer::sum, MapReduceOptions.defaults()),
                () -> {});
        checkNamed(s -> s.stateMachine(StateMachineSpec.startingIn("begin")));
        checkNamed(s -> s.topic(TopicOptions.defaults()));
        checkNamed(s -> s.entities(key -> message -> message));
        checkNamed(s -> s.flowSubscriber(1, item -> {}));
        checkNamed(s -> s.runOnce(go::join), () -> go.complete(null));
    }

    @Test
    void servers() {
        var nowhere = new InetSocketAddress("localhost", 1);
        checkNamed(s -> s.embeddedHttpServer(0, exchange -> ""));
        checkNamed(s -> s.embeddedHttpServer(0, HttpRoutes.none()));
        checkNamed(s -> s.tcpAcceptor(0, socket -> {}));
        checkNamed(s -> s.tcpAcceptorSilent(0, socket -> {}, null));
        checkNamed(s -> s.tcpForwarder(0, nowhere));
        checkNamed(s -> s.lineServer(0, 100, client -> {}));
        checkNamed(s -> s.udpServer(0, (datagram, server) -> {}));
    }

    private static void checkNamed(Function<Stereotypes, Actor<?>> maker) {
        checkNamed(maker, () -> {});
    }

    private static void checkNamed(Function<Stereotypes, Actor<?>> maker, Runnable letItEnd) {
        try (var system = ActorSystem.create()) {
            var named = Stereotypes.def().named("orders").in(system);
            Actor<?> actor = maker.apply(named);
            assertEquals("orders", actor.name());
            assertEquals("orders", system.find("orders").orElseThrow().name());
            assertThrows(IllegalStateException.class, () -> maker.apply(named), "the name is taken");
            letItEnd.run();
            actor.close();
            assertTrue(system.find("orders").isEmpty());
            maker.apply(named).close();
        }
    }

    @Test
    void othersStayWithoutAName() {
        try (var system = ActorSystem.create()) {
            var stereotypes = Stereotypes.def().in(system);
            assertEquals("orders", stereotypes.named("orders").sink(null).name());
            assertTrue(stereotypes.sink(null).name().startsWith("actor-"));
        }
    }

    @Test
    void aServerThatCannotListenLeavesItsNameFree() throws Exception {
        try (var system = ActorSystem.create();
                var taken = new ServerSocket(0)) {
            var named = Stereotypes.def().named("orders").in(system);
            for (int i = 0; i < 100; i++) {
                assertThrows(
                        UncheckedIOException.class,
                        () -> named.embeddedHttpServer(taken.getLocalPort(), HttpRoutes.none()));
                assertThrows(UncheckedIOException.class, () -> named.tcpAcceptor(taken.getLocalPort(), socket -> {}));
            }
        }
    }

    @Test
    void aBlankNameIsRefusedAtOnce() {
        assertThrows(IllegalArgumentException.class, () -> Stereotypes.def().named(" "));
    }
}
