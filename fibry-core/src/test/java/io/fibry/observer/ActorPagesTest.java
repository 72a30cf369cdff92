package io.fibry.observer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.testing.Await;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The passes for the list of actors: their times, the rates between them, and what they keep. The clock is that of the
 * test.
 *
 * <p>Seen to fail: a pass that does not respect the pause, rates since the last pass, and the smaller count of two
 * equal ids.
 */
@Timeout(120)
class ActorPagesTest {

    private final ActorSystem system = ActorSystem.create();
    private final AtomicLong now = new AtomicLong();

    /** The duration of a pass. */
    private final AtomicLong cost = new AtomicLong();

    private final ActorPages pages =
            new ActorPages(system, () -> "", ObserverOptions.defaults(), () -> now.getAndAdd(cost.get()));

    @AfterEach
    void close() {
        system.close();
    }

    private static ActorQuery by(ActorSort sort) {
        return new ActorQuery(sort, true, "", null, 10, null, false);
    }

    private String page(ActorSort sort) throws InterruptedException {
        String page = pages.page(by(sort));
        assertNotNull(page, "a page, since it is time");
        return page;
    }

    private static String rate(String page, String name) {
        var rate =
                Pattern.compile("\"name\":\"" + name + "\".*?\"rate\":([^,}]*)").matcher(page);
        assertTrue(rate.find(), page);
        return rate.group(1);
    }

    /** Waits until the actor has counted the messages, which is after their handling. */
    private void handle(Actor<Integer> actor, int messages) {
        long before = handled(actor);
        for (int i = 0; i < messages; i++) {
            actor.tell(i);
        }
        Await.until("all messages are handled", () -> handled(actor) == before + messages);
    }

    private long handled(Actor<Integer> actor) {
        return system.actors()
                .filter(info -> info.name().equals(actor.name()))
                .findFirst()
                .orElseThrow()
                .handled();
    }

    @Test
    void aPassIsFollowedByAPauseTenTimesAsLong() throws Exception {
        cost.set(TimeUnit.MILLISECONDS.toNanos(300));
        String first = page(ActorSort.NAME);
        assertTrue(first.contains("\"costMillis\":300.000,\"pauseMillis\":6000"), first);
        cost.set(0);
        assertNull(pages.page(by(ActorSort.NAME)), "the pause lasts three seconds");
        now.set(TimeUnit.SECONDS.toNanos(3));
        assertNotNull(pages.page(by(ActorSort.NAME)));
        assertNotNull(pages.page(by(ActorSort.NAME)), "a pass without a duration has no pause");
    }

    @Test
    void ratesAreThoseOfAboutASecond() throws Exception {
        Actor<Integer> busy = system.actor("busy").newActor(n -> {});
        Actor<Integer> calm = system.actor("calm").newActor(n -> {});
        assertEquals("null", rate(page(ActorSort.NAME), "busy"));
        handle(busy, 100);
        handle(calm, 10);
        now.set(Duration.ofSeconds(2).toNanos());
        assertEquals("50.000", rate(page(ActorSort.NAME), "busy"));
        assertEquals("5.000", rate(page(ActorSort.RATE), "calm"));
        handle(calm, 200);
        now.set(Duration.ofMillis(2500).toNanos()); // soon after the last pass: compared with the one before
        String sorted = page(ActorSort.RATE);
        assertEquals("84.000", rate(sorted, "calm"));
        assertEquals("40.000", rate(sorted, "busy"));
        assertTrue(sorted.indexOf("calm") < sorted.indexOf("busy"), sorted);
        now.set(Duration.ofSeconds(4).toNanos());
        assertEquals("0.000", rate(page(ActorSort.NAME), "busy"));
        now.set(Duration.ofMinutes(10).toNanos()); // the list has not been read for a while
        assertEquals("null", rate(page(ActorSort.NAME), "busy"));
    }

    @Test
    void aPageRetainsNoActor() throws Exception {
        WeakReference<Actor<Integer>> reference = listedGuest();
        Await.until("the actor is collected", () -> {
            System.gc();
            return reference.get() == null;
        });
        assertFalse(page(ActorSort.NAME).contains("guest"));
    }

    private WeakReference<Actor<Integer>> listedGuest() throws InterruptedException {
        Actor<Integer> guest = system.actor("guest").newActor(n -> {});
        assertTrue(page(ActorSort.NAME).contains("guest"));
        guest.close();
        return new WeakReference<>(guest);
    }

    @Test
    void countsGrowAndHaveALimit() {
        var counts = new HandledCounts(0, 0);
        for (int id = 1; id <= 100_000; id++) {
            counts.put(id * 7919, id);
        }
        assertEquals(100_000, counts.size());
        for (int id = 1; id <= 100_000; id++) {
            assertEquals(5, counts.since(id * 7919, id + 5L));
        }
        assertEquals(-1, counts.since(-1, 1));
        var full = new HandledCounts(0, Integer.MAX_VALUE);
        for (int id = 1; id <= HandledCounts.MOST + 10; id++) {
            full.put(id, 1);
        }
        assertEquals(HandledCounts.MOST, full.size());
        assertEquals(-1, full.since(HandledCounts.MOST + 1, 1));
        assertEquals(1, full.since(HandledCounts.MOST, 2));
    }

    /** Otherwise an actor that has handled a million would have the rate of a million. */
    @Test
    void ofTwoActorsWithOneIdNoneHasATooHighRate() {
        var counts = new HandledCounts(0, 0);
        counts.put(7, 1_000_000);
        counts.put(7, 3);
        assertEquals(2, counts.since(7, 1_000_002));
        assertEquals(0, counts.since(7, 5));
        long many = (1L << 32) + 1; // the lower half starts at zero again
        counts.put(8, many - 3);
        assertEquals(3, counts.since(8, many));
    }

    @Test
    void positionsKeepTheirOrderAndSurviveARequest() {
        var small = new Position(1, "", 9);
        var large = new Position(2, "", 3);
        assertTrue(small.compare(large, false) < 0 && small.compare(large, true) > 0);
        var sameValue = new Position(1, "", 10);
        assertTrue(small.compare(sameValue, false) < 0 && small.compare(sameValue, true) < 0);
        var text = new Position(0, "a.\ud800\u0000", -1);
        assertEquals(text, Position.decode(text.encode(true), true));
        var number = new Position(Long.MIN_VALUE, "", Integer.MIN_VALUE);
        assertEquals(number, Position.decode(number.encode(false), false));
    }
}
