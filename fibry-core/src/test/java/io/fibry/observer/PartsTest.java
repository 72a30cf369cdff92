package io.fibry.observer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorInfo;
import io.fibry.DeadLetter;
import io.fibry.HandledMessages;
import io.fibry.Incident;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The values that the page derives from the numbers. */
class PartsTest {

    private static ActorInfo actor(String name, @Nullable String parent, @Nullable String waitsFor, long handled) {
        return new ActorInfo(
                "id-" + name,
                name,
                "behavior",
                parent,
                "virtual",
                ActorInfo.State.IDLE,
                waitsFor,
                null,
                0,
                null,
                Duration.ZERO,
                new HandledMessages(handled, 0, 0, 0),
                0,
                0,
                0,
                List.of());
    }

    private static ActorInfo waiting(String name, String waitsFor) {
        return actor(name, null, waitsFor, 0);
    }

    /** The handler of a server runs as long as the server listens; its connections are its children. */
    @Test
    void anActorThatHandlesOneMessageForTwoMinutesIsSlow() {
        Duration shorter = Duration.ofMillis(119_999);
        Duration two = Duration.ofMinutes(2);
        assertFalse(isSlow(running("lambda in shop.Orders", null, shorter)));
        assertTrue(isSlow(running("lambda in shop.Orders", null, two)));
        assertFalse(isSlow(running("lambda in io.fibry.http.HttpServerLoop", null, two)));
        assertTrue(isSlow(running("lambda in io.fibry.http.HttpServerLoop", "server", two)));
    }

    private static boolean isSlow(ActorInfo actor) {
        return Actors.brief(actor).toString().contains("\"slow\":true");
    }

    private static ActorInfo running(String behavior, @Nullable String parent, Duration time) {
        return new ActorInfo(
                "1",
                "name",
                behavior,
                parent,
                "virtual",
                ActorInfo.State.RUNNING,
                null,
                null,
                0,
                "java.lang.String",
                time,
                new HandledMessages(0, 0, 0, 0),
                0,
                0,
                0,
                List.of());
    }

    @Test
    void cyclesAreFoundOnce() {
        List<ActorInfo> actors = List.of(
                waiting("outside", "b"),
                waiting("c", "a"),
                waiting("a", "b"),
                waiting("b", "c"),
                waiting("self", "self"),
                waiting("end", "none"),
                waiting("chain", "end"));
        assertEquals(Set.of(List.of("a", "b", "c"), List.of("self")), SnapshotCycles.find(actors));
        var cycles = new SnapshotCycles();
        assertEquals(List.of(), cycles.confirmed(actors));
        assertEquals(2, cycles.confirmed(actors).size());
        assertEquals(List.of(), cycles.confirmed(List.of()));
        assertEquals(List.of(), cycles.confirmed(actors));
    }

    @Test
    void aLongChainIsNotACycle() {
        var actors = new ArrayList<ActorInfo>();
        for (int i = 0; i < 10_000; i++) {
            actors.add(waiting("w" + i, "w" + (i + 1)));
        }
        assertEquals(Set.of(), SnapshotCycles.find(actors));
    }

    private static Incident failure(String id, String text) {
        return new Incident(Incident.Kind.FAILURE, id, "name", String.class, new IllegalStateException(text), null);
    }

    @Test
    void equalIncidentsAreOneEntry() {
        var log = new IncidentLog();
        log.accept(failure("1", "a"));
        log.accept(new Incident(Incident.Kind.DEAD_LETTER, "1", "name", String.class, null, DeadLetter.Reason.STOPPED));
        long seen = log.last();
        log.accept(failure("1", "b"));
        List<String> later = log.after(seen);
        assertEquals(1, later.size());
        assertTrue(later.getFirst().contains("\"count\":2"), later.getFirst());
        assertTrue(later.getFirst().contains("\"entry\":1"), later.getFirst());
        assertEquals(2, log.after(0).size());
    }

    @Test
    void theLogOfIncidentsHasALimit() {
        var log = new IncidentLog();
        for (int i = 0; i < 1000; i++) {
            log.accept(failure("id" + i, "x".repeat(10_000)));
        }
        List<String> all = log.after(0);
        assertEquals(50, all.size());
        assertTrue(all.getLast().contains("id999"));
        assertTrue(all.getLast().length() < 10_000);
    }

    @Test
    void anExceptionWithoutAUsableTextIsAnEntry() {
        var log = new IncidentLog();
        var bad = new RuntimeException() {
            private static final long serialVersionUID = 1;

            @Override
            public String getMessage() {
                throw new IllegalStateException("no text");
            }
        };
        log.accept(new Incident(Incident.Kind.FAILURE, "1", "name", String.class, bad, null));
        assertTrue(log.after(0).getFirst().contains("\"text\":null"));
    }

    @Test
    void theTreeHasALimit() {
        var actors = new ArrayList<ActorInfo>();
        actors.add(actor("top", null, null, 0));
        for (int i = 0; i < 100; i++) {
            actors.add(actor("child" + i, "top", null, 0));
        }
        for (int i = 0; i < 20; i++) {
            actors.add(actor("deep" + i, i == 0 ? "child0" : "deep" + (i - 1), null, 0));
        }
        var json = new Json();
        Tree.add(actors, json);
        assertTrue(json.toString().contains("\"name\":\"child11\""));
        assertFalse(json.toString().contains("\"name\":\"child12\""));
        assertTrue(json.toString().contains("\"name\":\"deep3\""));
        assertFalse(json.toString().contains("\"name\":\"deep4\""));
    }
}
