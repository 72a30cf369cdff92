package io.fibry.observer;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorContext;
import io.fibry.ActorSystem;
import io.fibry.ActorTimer;
import io.fibry.kernel.TimersSnapshot;
import io.fibry.testing.Await;
import io.fibry.testing.NoLeftovers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The scheduled timers on the page of an actor. The timers are due long after the test.
 *
 * <p>Seen to fail: timers that are sorted by their period, a list that is read to its end, a page with all timers that
 * were read, a cancelled receive timeout that is still shown, and a negative time for a timer whose message waits.
 */
@ExtendWith(NoLeftovers.class)
@Timeout(120)
class TimelineTimersTest {

    private static final Pattern LEFT = Pattern.compile("\"left\":([0-9.]+)");

    private final ActorSystem system = ActorSystem.create();
    private final List<ActorTimer> started = new ArrayList<>();

    @AfterEach
    void close() {
        system.close();
    }

    private Timeline attached(Actor<?> actor) {
        String id = system.actors()
                .filter(each -> each.name().equals(actor.name()))
                .findFirst()
                .orElseThrow()
                .id();
        var timeline = new Timeline(system, id, () -> 1_000);
        timeline.attach();
        return timeline;
    }

    /** An actor that has started its timers. */
    private Actor<Object> actor(Consumer<ActorContext<Object>> start) {
        Actor<Object> actor = system.actor("orders").newActorFrom(context -> {
            start.accept(context);
            return message -> {};
        });
        var ready = new CountDownLatch(1);
        actor.execute(ready::countDown);
        Await.latch(ready);
        return actor;
    }

    private static String timers(Timeline timeline) {
        String json = timeline.after(0).json();
        return json.substring(json.indexOf("\"timers\""));
    }

    /** The hours until the timers are due, rounded up. */
    private static List<Long> hours(String json) {
        return LEFT.matcher(json)
                .results()
                .map(left -> (long) Math.ceil(Double.parseDouble(left.group(1)) / 3_600_000))
                .toList();
    }

    @Test
    void eachTimerHasTheTypeOfItsMessageItsTimeAndItsPeriod() {
        Timeline timeline = attached(actor(context -> {
            context.after(Duration.ofHours(3), 7).cancelOnStop();
            context.every(Duration.ofHours(1), "x");
            context.receiveTimeout(Duration.ofHours(2), 'c');
        }));
        String json = timers(timeline);
        assertEquals(
                "\"timers\":["
                        + "{\"type\":\"java.lang.String\",\"left\":-,\"once\":false,\"period\":3600000.000,"
                        + "\"receiveTimeout\":false},"
                        + "{\"type\":\"java.lang.Character\",\"left\":-,\"once\":false,\"period\":7200000.000,"
                        + "\"receiveTimeout\":true},"
                        + "{\"type\":\"java.lang.Integer\",\"left\":-,\"once\":true,\"period\":0.000,"
                        + "\"receiveTimeout\":false}],"
                        + "\"moreTimers\":0,\"unreadTimers\":0}",
                LEFT.matcher(json).replaceAll("\"left\":-"));
        assertEquals(List.of(1L, 2L, 3L), hours(json));
        timeline.release();
        assertEquals(List.of(), hours(timers(timeline)));
    }

    @Test
    void theSoonestTimersAreShownAndTheOthersCounted() {
        int all = Timeline.MOST_TIMERS + 7;
        Timeline timeline = attached(actor(context -> {
            for (int hours = all; hours > 0; hours--) {
                context.every(Duration.ofHours(hours), "x");
            }
        }));
        String json = timers(timeline);
        List<Long> shown = hours(json);
        assertEquals(Timeline.MOST_TIMERS, shown.size());
        assertEquals(1, shown.getFirst());
        assertEquals(Timeline.MOST_TIMERS, shown.getLast());
        assertTrue(json.endsWith("],\"moreTimers\":7,\"unreadTimers\":0}"), json);
        timeline.release();
    }

    @Test
    void ofManyTimersTheFirstOnesAreRead() {
        int all = 100_000;
        Timeline timeline = attached(actor(context -> {
            for (int i = 0; i < all - 2; i++) {
                context.every(Duration.ofHours(9), "x");
            }
            context.every(Duration.ofHours(1), "unread");
            context.receiveTimeout(Duration.ofHours(2), "read");
        }));
        String json = timers(timeline);
        assertEquals(List.of(2L, 9L), hours(json).subList(0, 2));
        assertTrue(
                json.endsWith("],\"moreTimers\":" + (all - Timeline.MOST_TIMERS) + ",\"unreadTimers\":"
                        + (all - TimersSnapshot.MOST_READ) + "}"),
                json);
        timeline.release();
    }

    @Test
    void cancelledTimersAndThoseOfAnEndedActorAreNotShown() {
        Actor<Object> orders = actor(context -> {
            started.add(context.receiveTimeout(Duration.ofHours(1), "x"));
            started.add(context.every(Duration.ofHours(2), "x"));
            context.every(Duration.ofHours(3), "x");
            context.receiveTimeout(Duration.ofHours(4), "x");
        });
        Timeline timeline = attached(orders);
        assertEquals(List.of(2L, 3L, 4L), hours(timers(timeline)));
        started.forEach(ActorTimer::cancel);
        assertEquals(List.of(3L, 4L), hours(timers(timeline)));
        orders.close();
        assertEquals("\"timers\":[],\"moreTimers\":0,\"unreadTimers\":0}", timers(timeline));
        timeline.release();
    }

    @Test
    void aTimerWhoseMessageWaitsIsDue() {
        var go = new CountDownLatch(1);
        Actor<Object> orders = system.actor("orders").newActorFrom(context -> message -> {
            if (message.equals("start")) {
                context.after(Duration.ofMillis(1), "x");
                Await.latch(go);
            }
        });
        Timeline timeline = attached(orders);
        orders.tell("start");
        await().until(() -> timers(timeline).contains("\"left\":0.000,\"once\":true"));
        go.countDown();
        await().until(() -> timers(timeline).startsWith("\"timers\":[],"));
        timeline.release();
    }
}
