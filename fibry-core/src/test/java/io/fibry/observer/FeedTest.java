package io.fibry.observer;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.SystemOptions;
import io.fibry.ThreadStrategy;
import io.fibry.http.HttpOptions;
import io.fibry.http.HttpServerActor;
import io.fibry.testing.Client;
import io.fibry.testing.InContext;
import io.fibry.testing.NoLeftovers;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The times at which a system is inspected, and the amount of data that is passed on. */
@ExtendWith(NoLeftovers.class)
@Timeout(120)
class FeedTest {

    private static final ObserverOptions HOURLY = ObserverOptions.defaults().interval(Duration.ofHours(1));
    private static final ObserverOptions OFTEN = ObserverOptions.defaults().interval(Duration.ofMillis(100));

    private final ActorSystem system =
            ActorSystem.create(SystemOptions.defaults().tracking(true));

    @AfterEach
    void close() {
        system.close();
    }

    private SnapshotFeed feed(ObserverOptions options) {
        return new SnapshotFeed(system, () -> "", new IncidentLog(), options);
    }

    @Test
    void pagesShareOneSnapshot() {
        SnapshotFeed feed = feed(HOURLY);
        feed.open(null);
        feed.open("1");
        assertSame(feed.snapshot(), feed.snapshot());
        assertEquals(1, feed.taken());
        assertTrue(feed.pause().compareTo(Duration.ofMinutes(59)) > 0);
    }

    @Test
    void theIntervalMayBeOfAnyLength() throws Exception {
        ObserverOptions options = ObserverOptions.defaults().interval(ChronoUnit.FOREVER.getDuration());
        SnapshotFeed feed = feed(options);
        feed.open(null);
        assertSame(feed.snapshot(), feed.snapshot());
        assertTrue(feed.pause().compareTo(Duration.ofDays(10_000)) > 0);
        var flow = new FlowFeed(system, () -> "", options.interval(), System::nanoTime);
        flow.open();
        assertEquals(flow.shown(), flow.shown());
        flow.close();
        var tables = new TablesFeed(new ObserverPage("Cluster", List::of), options.interval(), System::nanoTime);
        assertEquals(tables.shown(), tables.shown());
        var query = new ActorQuery(ActorSort.NAME, false, "", null, 10, null, false);
        String page = new ActorPages(system, () -> "", options).page(query);
        assertNotNull(page);
        assertTrue(page.contains("\"pauseMillis\":2147483647"), page); // the longest time of a timer in a browser
    }

    @Test
    void theNextSnapshotIsNew() {
        SnapshotFeed feed = feed(OFTEN);
        feed.open(null);
        long first = feed.snapshot().number();
        await().until(() -> feed.snapshot().number() > first);
    }

    @Test
    void nothingIsRetainedWithoutAPage() {
        SnapshotFeed feed = feed(HOURLY);
        feed.open(null);
        SnapshotFeed.Snapshot first = feed.snapshot();
        feed.close(null);
        feed.open("1");
        SnapshotFeed.Snapshot second = feed.snapshot();
        assertNotSame(first, second);
        assertEquals(java.util.Set.of("1"), second.ids());
        feed.close("1");
        feed.open(null);
        assertEquals(java.util.Set.of(), feed.snapshot().ids());
    }

    @Test
    void withoutAPageNoSnapshotIsTakenOrRetained() throws Exception {
        SnapshotFeed feed = feed(OFTEN);
        HttpServerActor server = HttpServerActor.start(
                system.actor().strategy(ThreadStrategy.virtual()),
                0,
                new ObserverRoutes(system, feed, OFTEN, () -> "test").routes(),
                HttpOptions.defaults());
        try (var other = new Client(server.port())) {
            other.send("GET / HTTP/1.0\r\nHost: localhost\r\n\r\n").receiveAll();
        }
        assertEquals(0, feed.taken());
        for (int i = 0; i < 3; i++) {
            try (var overview = new Client(server.port());
                    var actor = new Client(server.port())) {
                overview.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
                actor.send("GET /actors/1/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
                await().until(() -> feed.pages() == 2);
                long before = feed.taken();
                await().until(() -> feed.taken() > before + 1);
            }
            await().until(() -> feed.pages() == 0);
        }
        long after = feed.taken();
        feed.open(null);
        assertEquals(after + 1, feed.snapshot().number());
    }

    @Test
    void messagesOfTimersAreInTheNumbersAndTheRates() {
        var now = new AtomicLong();
        var feed = new SnapshotFeed(system, () -> "", new IncidentLog(), OFTEN, now::get);
        var actor = InContext.actor(system.actor("ticking"));
        InContext.run(actor, context -> {});
        await().until(() -> system.stats().handled() == 1);
        feed.open(null);
        feed.snapshot();
        actor.tell(context -> {
            for (int i = 0; i < 3; i++) {
                context.after(Duration.ZERO, tick -> {});
            }
        });
        await().until(() -> system.stats().handled() == 5);
        now.addAndGet(Duration.ofSeconds(1).toNanos());
        String overview = feed.snapshot().overview();
        String counts = "\"handled\":5,\"handledBySource\":{\"sent\":2,\"timers\":3,\"piped\":0,\"internal\":0}";
        assertTrue(overview.contains("\"counters\":{" + counts), overview);
        assertTrue(overview.contains(counts + ",\"rate\":4.000}"), overview);
        assertTrue(overview.contains("\"rates\":{\"handled\":4.000,"), overview);
    }

    @Test
    void aSystemClosesWithOpenPages() throws Exception {
        SnapshotFeed feed = feed(HOURLY);
        HttpServerActor server = HttpServerActor.start(
                system.actor().strategy(ThreadStrategy.virtual()),
                0,
                new ObserverRoutes(system, feed, HOURLY, () -> "test").routes(),
                HttpOptions.defaults());
        try (var page = new Client(server.port())) {
            page.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
            await().until(() -> feed.taken() == 1);
            assertTrue(system.close(Duration.ofSeconds(60))); // the next snapshot would be in an hour
        }
        assertEquals(0, feed.pages());
    }

    @Test
    void aPageIsSmallForAnyNumberOfActors() {
        List<Actor<?>> kept = new ArrayList<>();
        for (int i = 0; i < 30_000; i++) {
            kept.add(system.actor("named-" + i).newActor(n -> {}));
            kept.add(system.actor().newActor(n -> {}));
        }
        SnapshotFeed feed = feed(HOURLY);
        feed.open(null);
        String overview = feed.snapshot().overview();
        assertTrue(overview.length() < 100_000, overview.length() + " characters");
        assertTrue(overview.contains("\"actors\":60000,"), overview.substring(0, 500));
        assertTrue(overview.contains("\"complete\":false"));
        assertEquals(60_000, kept.size());
    }
}
