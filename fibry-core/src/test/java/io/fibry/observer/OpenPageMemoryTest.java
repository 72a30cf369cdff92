package io.fibry.observer;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.http.HttpOptions;
import io.fibry.http.HttpServerActor;
import io.fibry.testing.Client;
import io.fibry.testing.NoLeftovers;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A page that stays open keeps the last snapshot and some numbers, regardless of the number of snapshots. Counted in
 * objects, not in time.
 */
@ExtendWith(NoLeftovers.class)
@Timeout(120)
class OpenPageMemoryTest {

    private static final int LOOKS = 500;
    private static final int POINTS = 90;

    private final ActorSystem system = ActorSystem.create();
    private final AtomicLong now = new AtomicLong();
    private final IncidentLog incidents = new IncidentLog();

    private final SnapshotFeed feed =
            new SnapshotFeed(system, () -> "", incidents, ObserverOptions.defaults(), now::get);

    private final List<WeakReference<SnapshotFeed.Snapshot>> looks = new ArrayList<>();

    @AfterEach
    void close() {
        system.close();
    }

    private int kept() {
        System.gc();
        return (int) looks.stream().filter(look -> look.get() != null).count();
    }

    /** Each of them is due. */
    private void look(int times) {
        for (int i = 0; i < times; i++) {
            now.addAndGet(TimeUnit.HOURS.toNanos(1));
            looks.add(new WeakReference<>(feed.snapshot()));
        }
    }

    @Test
    void onlyTheLastSnapshotIsKept() {
        feed.open(null);
        look(LOOKS);
        assertEquals(LOOKS, feed.taken());
        await().until(() -> kept() == 1);
        String overview = feed.snapshot().overview();
        assertEquals(POINTS, points(overview, "handledHistory"));
        assertEquals(POINTS, points(overview, "waitingHistory"));
        feed.close(null);
        await().until(() -> kept() == 0);
    }

    private static long points(String overview, String history) {
        var values = Pattern.compile("\"" + history + "\":\\[([^]]*)]").matcher(overview);
        assertTrue(values.find(), overview);
        return values.group(1).split(",").length;
    }

    /** Actors start and end, so each snapshot has others; the rates contain the actors of the last two snapshots. */
    @Test
    void endedActorsAreNotRetained() throws Exception {
        feed.open(null);
        List<WeakReference<Actor<Integer>>> actors = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Actor<Integer> actor = system.actor("guest " + i).newActor(n -> {});
            feed.open("guest " + i);
            look(1);
            feed.close("guest " + i);
            actor.close();
            actors.add(new WeakReference<>(actor));
        }
        look(2);
        assertEquals(1, feed.pages());
        await().until(() -> {
            System.gc();
            return actors.stream().noneMatch(actor -> actor.get() != null);
        });
        assertFalse(feed.snapshot().overview().contains("guest"));
    }

    /**
     * The stream waits until it has sent a snapshot, and then takes the latest one: intermediate ones are retained
     * nowhere.
     */
    @Test
    void nothingAccumulatesForABrowserThatDoesNotRead() throws Exception {
        for (int i = 0; i < 40; i++) {
            system.actor("\u00e4".repeat(300) + i).newActor(n -> {}); // makes a snapshot large
        }
        HttpServerActor server = HttpServerActor.start(
                system.actor().strategy(ThreadStrategy.virtual()),
                0,
                new ObserverRoutes(system, feed, ObserverOptions.defaults(), () -> "test").routes(),
                HttpOptions.defaults());
        try (var page = new Client(server.port())) {
            page.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
            await().until(() -> feed.pages() == 1);
            look(LOOKS);
            await().until(() -> kept() <= 2); // the last one, and the one that is being sent
            assertTrue(server.close(Duration.ofSeconds(60)));
        }
        await().until(() -> feed.pages() == 0);
    }
}
