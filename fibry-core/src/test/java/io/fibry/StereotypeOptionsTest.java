package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.batch.BatchOptions;
import io.fibry.batch.Batcher;
import io.fibry.entity.EntityOptions;
import io.fibry.entity.LocalEntities;
import io.fibry.flow.FlowSubscriber;
import io.fibry.http.HttpOptions;
import io.fibry.http.HttpRoutes;
import io.fibry.http.HttpServerActor;
import io.fibry.mapreduce.MapReduce;
import io.fibry.mapreduce.MapReduceOptions;
import io.fibry.net.TcpAcceptor;
import io.fibry.net.TcpOptions;
import io.fibry.net.UdpOptions;
import io.fibry.net.UdpServer;
import io.fibry.pool.PoolOptions;
import io.fibry.pool.WorkerPool;
import io.fibry.schedule.Schedule;
import io.fibry.schedule.Timetable;
import io.fibry.state.StateMachine;
import io.fibry.state.StateMachineSpec;
import io.fibry.testing.NoLeftovers;
import io.fibry.topic.LocalTopic;
import io.fibry.topic.TopicOptions;
import java.time.Duration;
import java.util.Comparator;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A ready-made actor that sets its mailbox or its supervision rejects a builder that has these options. */
@ExtendWith(NoLeftovers.class)
class StereotypeOptionsTest {

    /** How to start an actor, and the solutions in its exceptions. */
    record Start(String name, Consumer<ActorBuilder<Object>> code, String solution) {
        @Override
        public String toString() {
            return name;
        }
    }

    private final ActorSystem system = ActorSystem.create();

    @AfterEach
    void close() {
        system.close();
    }

    static Stream<Start> withMailbox() {
        var batch = BatchOptions.of(1, Duration.ofSeconds(1));
        return Stream.of(
                new Start("batcher", b -> Batcher.start(b, list -> {}, batch), "use BatchOptions.bounded(..)"),
                new Start(
                        "batcher with return",
                        b -> Batcher.startWithReturn(b, list -> list, batch),
                        "use BatchOptions.bounded(..)"),
                new Start(
                        "pool",
                        b -> WorkerPool.start(b, message -> {}, PoolOptions.of(1)),
                        "use PoolOptions.bounded(..) and PoolOptions.priority(..)"),
                new Start("topic", b -> LocalTopic.start(b, TopicOptions.defaults()), "use TopicOptions.bounded(..)"),
                new Start(
                        "state machine",
                        b -> StateMachine.start(b, StateMachineSpec.startingIn("start")),
                        "use StateMachineSpec.bounded(..)"),
                new Start(
                        "subscriber",
                        b -> FlowSubscriber.start(b, 1, item -> {}),
                        "the window is the limit of the mailbox"),
                new Start(
                        "map-reduce",
                        StereotypeOptionsTest::startMapReduce,
                        "the inputs that wait are limited by the parallelism"),
                new Start(
                        "entities",
                        b -> LocalEntities.start(b, key -> null, EntityOptions.defaults()),
                        "use EntityOptions.bounded(..)"));
    }

    static Stream<Start> withSupervision() {
        return Stream.of(
                new Start(
                        "pool",
                        b -> WorkerPool.start(b, message -> {}, PoolOptions.of(1)),
                        "a failure concerns only the message that causes it"),
                new Start(
                        "subscriber",
                        b -> FlowSubscriber.start(b, 1, item -> {}),
                        "a failure stops a subscriber; catch exceptions in its behavior"),
                new Start(
                        "entities",
                        b -> LocalEntities.start(b, key -> null, EntityOptions.defaults()),
                        "use EntityOptions.supervision(..)"),
                new Start(
                        "schedule",
                        b -> Schedule.start(b, () -> {}, Timetable.withFixedDelay(Duration.ofHours(1))),
                        "a failed run is logged, and the next one follows"),
                new Start(
                        "topic",
                        b -> LocalTopic.start(b, TopicOptions.defaults()),
                        "a failed topic keeps its subscribers, and forwards the next message"),
                new Start(
                        "map-reduce",
                        StereotypeOptionsTest::startMapReduce,
                        "a stream cannot be read again; use MapReduceOptions.maxFailures(..)"),
                new Start(
                        "TCP server",
                        b -> TcpAcceptor.start(b, 0, connection -> {}, TcpOptions.defaults()),
                        "a server stops if it fails"),
                new Start(
                        "UDP server",
                        b -> UdpServer.start(b, 0, (datagram, reply) -> {}, UdpOptions.defaults()),
                        "a server stops if it fails"),
                new Start(
                        "HTTP server",
                        b -> HttpServerActor.start(b, 0, HttpRoutes.none(), HttpOptions.defaults()),
                        "a server stops if it fails"));
    }

    private static void startMapReduce(ActorBuilder<Object> builder) {
        MapReduce.start(builder, Stream.of(1), (Integer n) -> n, 0, Integer::sum, MapReduceOptions.defaults());
    }

    @ParameterizedTest
    @MethodSource("withMailbox")
    void aMailboxOfTheBuilderIsRejected(Start start) {
        assertRejected(start, "bounded(..) and priority(..)", builder -> builder.bounded(1, Overflow.FAIL));
        assertRejected(
                start,
                "bounded(..) and priority(..)",
                builder -> builder.priority(Comparator.comparing(Object::toString)));
        assertStarts(start);
    }

    @ParameterizedTest
    @MethodSource("withSupervision")
    void aSupervisionOfTheBuilderIsRejected(Start start) {
        assertRejected(start, "supervision(..)", builder -> builder.supervision(Supervision.resume()));
        assertStarts(start);
    }

    private void assertRejected(Start start, String options, Consumer<ActorBuilder<Object>> option) {
        ActorBuilder<Object> builder = system.actor("name");
        option.accept(builder);
        var rejected = assertThrows(IllegalArgumentException.class, () -> start.code.accept(builder));
        String message = rejected.getMessage();
        assertTrue(message.startsWith(options + " of the builder"), message);
        assertTrue(message.endsWith(": " + start.solution), message);
        assertEquals(0, system.actors().count());
    }

    /** Throws if the rejected starts have kept the name. The actor may have ended already. */
    private void assertStarts(Start start) {
        start.code.accept(system.actor("name"));
    }
}
