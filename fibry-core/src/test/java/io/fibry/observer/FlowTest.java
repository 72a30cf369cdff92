package io.fibry.observer;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.ReplyActor;
import io.fibry.http.HttpServerActor;
import io.fibry.observer.FlowGraph.Wait;
import io.fibry.observer.FlowMeter.Pair;
import io.fibry.observer.FlowMeter.Totals;
import io.fibry.stereotypes.Stereotypes;
import io.fibry.testing.Client;
import io.fibry.testing.NoLeftovers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The message flow: its sample, its sums and its graph.
 *
 * <p>Seen to fail: a tap that stays after the last viewer, a meter and a graph without limits, and a sample that does
 * not count each message as often as its share.
 */
@ExtendWith(NoLeftovers.class)
@Timeout(120)
class FlowTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final AtomicLong clock = new AtomicLong();

    private static Totals messages(double number) {
        return new Totals(number, 0, 0, number * 2e6, number * 1e6);
    }

    private static String json(FlowGraph graph, Wait... waits) {
        var json = new Json();
        graph.addTo(json, List.of(waits));
        return json.toString().replaceAll("(\\.\\d*?[1-9])0+(?=\\D)|\\.0+(?=\\D)", "$1"); // 7.500 is 7.5
    }

    private static int count(String json, String part) {
        return (int)
                Pattern.compile(Pattern.quote(part)).matcher(json).results().count();
    }

    @Test
    void theHottestPathAndABlockedEdgeAreMarked() {
        var graph = new FlowGraph();
        graph.add(
                Map.of(
                        new Pair("web", "orders"), messages(200),
                        new Pair("orders", "billing"), messages(100),
                        new Pair("orders", "audit"), messages(20),
                        new Pair("billing", "web"), messages(90),
                        new Pair("cron", "web"), messages(2)),
                2);
        String json = json(graph, new Wait(new Pair("audit", "disk"), 7.5));
        assertTrue(json.contains("\"nodes\":[\"audit\",\"billing\",\"cron\",\"disk\",\"orders\",\"web\"]"), json);
        assertTrue(json.contains("\"path\":[\"web\",\"orders\",\"billing\"]"), json);
        assertTrue(
                json.contains("{\"from\":5,\"to\":4,\"rate\":100,\"asks\":0,\"failures\":0,\"wait\":2,\"handler\":1,"
                        + "\"waiting\":0,\"waitingFor\":0,\"hot\":true}"),
                json);
        assertTrue(json.contains("\"edges\":[{\"from\":0,\"to\":3,\"rate\":0,"), "the blocked edge is first: " + json);
        assertTrue(json.contains("\"waiting\":1,\"waitingFor\":7.5,\"hot\":false}"), json);
    }

    @Test
    void ratesAreSmoothedAndForgotten() {
        var graph = new FlowGraph();
        var pair = new Pair("a", "b");
        graph.add(Map.of(pair, messages(100)), 1);
        graph.add(Map.of(pair, messages(200)), 1);
        assertTrue(json(graph).contains("\"rate\":150,"), json(graph));
        for (int i = 0; i < 15; i++) {
            graph.add(Map.of(), 1);
        }
        assertTrue(json(graph).contains("\"edges\":[]"), json(graph));
    }

    /** Numbered names become a group, other names are left out, and a waiting actor is always shown. */
    @Test
    void theGraphIsBounded() {
        Map<Pair, Totals> sums = new HashMap<>();
        for (int i = 0; i < 1_000; i++) {
            sums.put(new Pair("desk", "order-" + i), messages(1));
        }
        var graph = new FlowGraph();
        graph.add(sums, 1);
        assertTrue(json(graph).contains("\"nodes\":[\"desk\",\"order-*\"]"), json(graph));
        assertTrue(json(graph).contains("\"rate\":1000,"), json(graph));
        for (char one = 'a'; one <= 'z'; one++) {
            for (char two = 'a'; two <= 'z'; two++) {
                sums.put(new Pair("from" + one, "to" + two), messages(one + two));
            }
        }
        for (char one = 'a'; one <= 'z'; one++) {
            sums.put(new Pair("more" + one, "desk"), messages(5));
        }
        graph.add(sums, 1);
        String json = json(graph, new Wait(new Pair("quiet", "silent"), 3));
        assertTrue(json.contains("\"(others)\""), json);
        assertTrue(json.contains("\"quiet\"") && json.contains("\"silent\""), json);
        assertEquals(FlowGraph.MOST_EDGES, count(json, "\"rate\":"), json);
        String nodes = json.substring(0, json.indexOf("\"edges\""));
        assertTrue(count(nodes, "\",\"") < FlowGraph.MOST_NODES, nodes);
        assertFalse(json.contains("\"otherEdges\":0"), json);
    }

    @Test
    void theSumsAreBounded() {
        var meter = new FlowMeter();
        for (int i = 0; i < 10 * FlowMeter.MOST_PAIRS; i++) {
            meter.add(new Pair("actor" + (char) ('a' + i % 7), i + "x" + i), 3, i % 2 == 0, 5, 7, false);
        }
        Map<Pair, Totals> sums = meter.take();
        assertTrue(sums.size() <= 2 * FlowMeter.MOST_PAIRS + 1, sums.size() + " pairs");
        Totals all = sums.values().stream().reduce(Totals.NONE, Totals::plus);
        assertEquals(30.0 * FlowMeter.MOST_PAIRS, all.messages());
        assertEquals(all.messages() / 2, all.asks());
        assertEquals(5 * all.messages(), all.waited());
        assertEquals(7 * all.messages(), all.handled());
        assertEquals(Map.of(), meter.take());
    }

    @Test
    void messagesAreSampledOnlyWhileTheFlowIsWatched() {
        try (var system = ActorSystem.create()) {
            Actor<String> audit = system.actor("audit").newActor(text -> {});
            Actor<String> orders = system.actor("orders").newActor(audit::tell);
            var feed = new FlowFeed(system, () -> "", SECOND, clock::get);
            assertEquals(0, feed.oneIn());
            feed.open();
            feed.open();
            clock.addAndGet(SECOND.toNanos());
            feed.shown(); // few messages: from now on, each one is measured
            assertEquals(1, feed.oneIn());
            for (int i = 0; i < 100; i++) {
                orders.tell("x");
            }
            await().until(() -> {
                clock.addAndGet(SECOND.toNanos());
                String json = feed.shown().json();
                return json.contains("\"path\":[\"(outside)\",\"orders\",\"audit\"]");
            });
            feed.close();
            assertEquals(1, feed.oneIn());
            feed.close();
            assertEquals(0, feed.oneIn());
            orders.tell("y");
            await().until(() -> system.stats().handled() >= 202);
            feed.open();
            clock.addAndGet(SECOND.toNanos());
            assertTrue(
                    feed.shown().json().contains("\"edges\":[]"), feed.shown().json());
            feed.close();
        }
    }

    /** Each sampled message stands for as many as its share. */
    @Test
    void theRatesOfASampleAreThoseOfAllMessages() {
        var meter = new FlowMeter();
        meter.add(new Pair("a", "b"), 100, true, 1, 1, true);
        assertEquals(new Totals(100, 100, 100, 100, 100), meter.take().get(new Pair("a", "b")));
    }

    @Test
    void anActorThatWaitsIsOnThePageAndThePageIsNot() throws Exception {
        var begun = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        try (var system = ActorSystem.create()) {
            HttpServerActor server = Stereotypes.def().in(system).observer(0);
            ReplyActor<String, String> stock = system.actor("stock").newActorWithReturn(text -> {
                begun.countDown();
                go.await();
                return text;
            });
            Actor<String> desk = system.actor("desk")
                    .newActor(text -> stock.ask(text, Duration.ofMinutes(2)).join());
            desk.tell("x");
            begun.await();
            try (var raw = new Client(server.port())) {
                raw.send("GET /flow/events HTTP/1.0\r\nHost: localhost\r\n\r\n");
                String events = "";
                while (!events.contains("\"waiting\":1,")) {
                    events += raw.receive(1);
                }
                assertTrue(events.contains("\"nodes\":[\"desk\",\"stock\"],\"edges\":[{\"from\":0,\"to\":1,"), events);
            } finally {
                go.countDown();
            }
            try (var raw = new Client(server.port())) {
                String html = raw.send("GET /flow HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                        .receiveAll();
                assertTrue(html.contains("<svg id=\"flow\" role=\"img\" aria-labelledby=\"summary\">"), html);
            }
        }
    }
}
