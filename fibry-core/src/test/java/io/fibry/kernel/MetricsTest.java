package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.ForwardingActor;
import io.fibry.Metric;
import io.fibry.MetricSource;
import io.fibry.Overflow;
import io.fibry.StopMode;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.http.HttpOptions;
import io.fibry.http.HttpRoutes;
import io.fibry.http.HttpServerActor;
import io.fibry.net.TcpAcceptor;
import io.fibry.net.TcpOptions;
import io.fibry.net.UdpOptions;
import io.fibry.net.UdpServer;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The metrics for monitoring systems.
 *
 * <p>Seen to fail: without the counts of failures and restarts, with a handle that is not set for a server without a
 * name, and with each actor's name as a tag.
 */
class MetricsTest extends KernelTest {

    private static double value(List<Metric> metrics, String name, Map<String, String> tags) {
        List<Metric> found = metrics.stream()
                .filter(metric -> metric.name().equals(name) && metric.tags().equals(tags))
                .toList();
        assertEquals(1, found.size(), name + tags + " in " + metrics);
        return found.getFirst().value();
    }

    private double value(String name) {
        return value(system.metrics(), name, Map.of());
    }

    private double ended(String end) {
        return value(system.metrics(), "fibry.messages", Map.of("end", end));
    }

    private static double sum(List<Metric> metrics, String name) {
        return metrics.stream()
                .filter(metric -> metric.name().equals(name))
                .mapToDouble(Metric::value)
                .sum();
    }

    private void awaitHandled(long handled) {
        Await.until(handled + " handled", () -> ended("handled") == handled);
    }

    @AllStrategies
    void sentMessagesAreTheSumOfEndedAndWaitingOnes(ThreadStrategy strategy) {
        var gate = new Gate();
        Actor<Integer> dropper =
                actor(strategy).bounded(2, Overflow.DROP_NEWEST).newActor(n -> gate.pass());
        Actor<Integer> slow = actor(strategy).newActor(n -> gate.pass());
        dropper.tell(0);
        slow.tell(0);
        gate.awaitReached();
        Await.until("both running", () -> system.dump().totals().running() == 2);
        Await.until(
                "no message waits",
                () -> value("fibry.messages.waiting") == 0); // a thread may begin before it takes one
        IntStream.rangeClosed(1, 5).forEach(dropper::tell); // two wait, three are dropped
        IntStream.rangeClosed(1, 7).forEach(slow::tell);
        Actor<Integer> stopped = actor(strategy).newActor(n -> {});
        stopped.close();
        assertThrows(ActorStoppedException.class, () -> stopped.tell(1));
        List<Metric> quiet = system.metrics();
        double told = 2 + 5 + 7 + 1;
        double running = 2;
        assertEquals(9, value(quiet, "fibry.messages.waiting", Map.of()));
        assertEquals(told, sum(quiet, "fibry.messages") + 9 + running);
        assertEquals(3, value(quiet, "fibry.messages", Map.of("end", "dropped")));
        assertEquals(1, value(quiet, "fibry.messages", Map.of("end", "refused")));
        slow.stop(StopMode.DISCARD);
        gate.open();
        Await.until("all over", () -> sum(system.metrics(), "fibry.messages") == told);
        assertEquals(7, ended("dead"));
        assertEquals(0, value("fibry.messages.waiting"));
    }

    @AllStrategies
    void failuresAndRestartsOutliveTheirActors(ThreadStrategy strategy) {
        Actor<Integer> restarted = actor(strategy)
                .supervision(Supervision.restart())
                .newActorFrom(context -> n -> {
                    throw new IllegalStateException("wanted");
                });
        restarted.tell(1);
        restarted.tell(2);
        awaitHandled(2);
        Await.until("two restarts", () -> value("fibry.restarts") == 2);
        restarted.close();
        assertEquals(2, value("fibry.failures"));
        assertEquals(2, value("fibry.restarts"));
    }

    @Test
    void aThousandAnonymousActorsAddNoTag() {
        var none = Set.copyOf(keys(system.metrics(name -> true)));
        var actors = new ArrayList<Actor<Object>>();
        for (int i = 0; i < 1_000; i++) {
            Actor<Object> actor = system.actor().label("label " + i).newActor(message -> {});
            actor.tell(i);
            actors.add(actor);
        }
        assertEquals(none, Set.copyOf(keys(system.metrics(name -> true))));
        actors.forEach(Actor::close);
    }

    private static List<String> keys(List<Metric> metrics) {
        return metrics.stream()
                .map(metric -> metric.name() + metric.tags())
                .sorted()
                .toList();
    }

    @Test
    void namedActorsHaveMetricsOfTheirOwnIfTheFilterAccepts() {
        var gate = new Gate();
        String hostile = "a\"}\n1 \\ {é🙂";
        Actor<Integer> named = system.actor(hostile).newActor(n -> gate.pass());
        var other = system.actor("other").newSink(null);
        var others = system.actor("(others)").newSink(null);
        List.of(1, 2, 3).forEach(named::tell);
        gate.awaitReached();
        var tag = Map.of("actor", hostile);
        var metrics = system.metrics(name -> !name.equals("other"));
        assertEquals(2, value(metrics, "fibry.actor.messages.waiting", tag));
        assertEquals(0, value(metrics, "fibry.actor.handled", tag));
        assertEquals(0, value(metrics, "fibry.actor.messages.waiting", Map.of("actor", "(others)")));
        Set<String> actors = metrics.stream()
                .filter(metric -> metric.tags().containsKey("actor"))
                .map(metric -> metric.tags().get("actor"))
                .collect(Collectors.toSet());
        assertEquals(Set.of(hostile, "(others)"), actors);
        assertTrue(system.metrics().stream().noneMatch(metric -> metric.tags().containsKey("actor")));
        gate.open();
        awaitHandled(3);
        assertEquals(3, value(system.metrics(hostile::equals), "fibry.actor.handled", tag));
        other.close();
        others.close();
    }

    @Test
    void theAgesOfARunningHandlerAndAWaitingMessageIncrease() {
        var gate = new Gate();
        Actor<Integer> actor = system.actor("slow").newActor(n -> gate.pass());
        actor.tell(1);
        actor.tell(2);
        gate.awaitReached();
        Await.until("older", () -> value("fibry.handlers.longest") > 0 && value("fibry.messages.oldest") > 0);
        var tag = Map.of("actor", "slow");
        List<Metric> metrics = system.metrics("slow"::equals);
        assertTrue(value(metrics, "fibry.actor.handler", tag) > 0);
        assertTrue(value(metrics, "fibry.actor.messages.oldest", tag) > 0);
        gate.open();
        awaitHandled(2);
        assertEquals(0, value("fibry.messages.oldest"));
    }

    /**
     * An actor frees its name just before it has ended, so a snapshot may contain it together with the next owner.
     *
     * <p>Seen to fail: without the check.
     */
    @Test
    void aNameThatPassesToAnotherActorIsMeasuredOnce() {
        try (var other = ActorSystem.create()) {
            var reader = new MetricReader(Map.of(), Map.of(), name -> true);
            for (ActorSystem each : List.of(system, other)) {
                var server = UdpServer.start(
                        each.actor("udp").strategy(ThreadStrategy.virtual()),
                        0,
                        (datagram, sender) -> {},
                        UdpOptions.defaults());
                var actor = (ActorState<?>) Handles.unwrapped(server);
                reader.server(actor);
                reader.actor(actor);
            }
            List<Metric> once = reader.metrics();
            assertEquals(0, value(once, "fibry.actor.handled", Map.of("actor", "udp")));
            assertEquals(0, value(once, "fibry.udp.datagrams", Map.of("server", "udp", "result", "accepted")));
        }
    }

    @Test
    void serversWithoutANameAreMeasured() {
        var tcp = TcpAcceptor.start(
                system.actor().strategy(ThreadStrategy.virtual()), 0, connection -> {}, TcpOptions.defaults());
        var udp = UdpServer.start(
                system.actor("udp").strategy(ThreadStrategy.virtual()),
                0,
                (datagram, sender) -> {},
                UdpOptions.defaults());
        var http = HttpServerActor.start(
                system.actor("web").strategy(ThreadStrategy.virtual()),
                0,
                HttpRoutes.all(e -> "hello"),
                HttpOptions.defaults());
        List<Metric> metrics = system.metrics();
        String label = "tcp:" + tcp.port();
        assertEquals(0, value(metrics, "fibry.tcp.accepts", Map.of("server", label, "result", "accepted")));
        assertEquals(0, value(metrics, "fibry.tcp.connections", Map.of("server", label)));
        assertEquals(0, value(metrics, "fibry.udp.datagrams", Map.of("server", "udp", "result", "dropped")));
        assertEquals(0, value(metrics, "fibry.http.responses", Map.of("server", "web", "status", "5xx")));
        assertEquals(
                0, value(metrics, "fibry.handlers.longest", Map.of())); // although the servers' threads are running
        assertEquals(http, system.find("web").orElseThrow());
        assertEquals(udp, system.find("udp").orElseThrow());
        tcp.close();
        assertTrue(system.metrics().stream().noneMatch(m -> m.name().startsWith("fibry.tcp.")));
        List.of(udp, http).forEach(Actor::close);
    }

    @Test
    void aServerWithoutNameAndLabelAddsNoTag() {
        class Nameless extends ForwardingActor<Gate> implements MetricSource {
            Nameless(ActorBuilder<Object> builder) {
                super(builder.newActor(Gate::pass));
                beFoundByName();
            }

            @Override
            public List<Metric> metrics() {
                return List.of(Metric.gauge("test.gates", 1, "Gates"));
            }
        }
        var gate = new Gate();
        var nameless = new Nameless(system.actor());
        nameless.tell(gate); // the system knows a running actor
        gate.awaitReached();
        assertEquals(0, sum(system.metrics(), "test.gates"));
        var labelGate = new Gate();
        var labelled = new Nameless(system.actor().label("gate keeper"));
        labelled.tell(labelGate);
        labelGate.awaitReached();
        assertEquals(1, value(system.metrics(), "test.gates", Map.of("server", "gate keeper")));
        gate.open();
        labelGate.open();
    }

    @Test
    void failingMetricsOfOneServerDoNotAffectOthers() {
        class Broken extends ForwardingActor<Void> implements MetricSource {
            Broken() {
                super(system.actor("broken").newActor(ignored -> {}));
                beFoundByName();
            }

            @Override
            public List<Metric> metrics() {
                throw new IllegalStateException("wanted");
            }
        }
        var broken = new Broken();
        assertEquals(0, value("fibry.messages.waiting"));
        broken.close();
    }

    @Test
    void aClosedSystemHasItsLastNumbers() {
        var actor = system.actor("last").newActorWithReturn((Integer n) -> n);
        Await.value(actor.ask(1));
        assertTrue(system.close(Await.LIMIT));
        List<Metric> metrics = system.metrics(name -> true);
        assertEquals(1, value(metrics, "fibry.messages", Map.of("end", "handled")));
        assertEquals(0, sum(metrics, "fibry.actors"));
        assertEquals(0, value(metrics, "fibry.messages.waiting", Map.of()));
    }

    /** A map per actor would cost more than the metrics: with 100,000 named actors there are 600,000 of them. */
    @Test
    void theMeasuresOfAnActorShareTheirTags() {
        system.actor("clerk").newSink(null);
        List<Metric> ofClerk = system.metrics(name -> true).stream()
                .filter(metric -> "clerk".equals(metric.tags().get("actor")))
                .toList();
        assertEquals(6, ofClerk.size());
        ofClerk.forEach(metric -> assertSame(ofClerk.getFirst().tags(), metric.tags(), metric::name));
    }
}
