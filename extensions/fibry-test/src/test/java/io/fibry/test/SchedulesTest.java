package io.fibry.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ReplyActor;
import io.fibry.ThrowingConsumer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

class SchedulesTest {

    private static String orderOf(TestSystem test, int senders) {
        var log = new StringBuilder();
        Actor<Integer> target = test.actor("target").newActor(n -> log.append(n));
        List<Actor<String>> all = new ArrayList<>();
        for (int i = 1; i <= senders; i++) {
            int n = i;
            all.add(test.actor("sender " + n).newActor(order -> target.tell(n)));
        }
        all.forEach(sender -> sender.tell("go"));
        test.runUntilIdle();
        return log.toString();
    }

    @Test
    void allSchedulesHaveAllOrders() {
        Set<String> orders = new HashSet<>();
        long runs = Schedules.all(100_000).check(test -> orders.add(orderOf(test, 2)));
        assertEquals(Set.of("12", "21"), orders);
        assertTrue(runs > 2, runs + " schedules");
    }

    @Test
    void randomSchedulesHaveAllOrders() {
        Set<String> random = new HashSet<>();
        Schedules.random(200).check(test -> random.add(orderOf(test, 3)));
        assertEquals(6, random.size());
        Set<String> pct = new HashSet<>();
        Schedules.pct(200, 2).check(test -> pct.add(orderOf(test, 3)));
        assertEquals(6, pct.size());
    }

    @Test
    void aMessageMayComeBetweenTwoOfAnotherSender() {
        Set<String> orders = new HashSet<>();
        Schedules.random(200).check(test -> {
            var log = new StringBuilder();
            Actor<String> target = test.actor("target").newActor(log::append);
            Actor<String> both = test.actor("both").newActor(order -> {
                target.tell("a");
                target.tell("b");
            });
            Actor<String> one = test.actor("one").newActor(order -> target.tell("-"));
            both.tell("go");
            one.tell("go");
            test.runUntilIdle();
            orders.add(log.toString());
        });
        assertEquals(Set.of("ab-", "a-b", "-ab"), orders);
    }

    @Test
    void aTimerMayWinOrLose() {
        Set<String> orders = new HashSet<>();
        Schedules.random(200).check(test -> {
            var log = new StringBuilder();
            Actor<String> actor = test.actor("actor").newActorFrom(context -> {
                context.after(Duration.ofSeconds(1), "timer");
                return log::append;
            });
            ReplyActor<String, String> relay = test.actor("relay").newActorWithReturn(m -> {
                actor.tell(m);
                return m;
            });
            relay.ask("message").join();
            test.advance(Duration.ofSeconds(1));
            orders.add(log.toString());
        });
        assertEquals(Set.of("messagetimer", "timermessage"), orders);
    }

    /** A seed that was found on another machine or another version of Java must produce the same run here. */
    @Test
    void aSeedMeansTheSameEverywhere() {
        assertEquals("c4ddf7470f102ec9 e9cc3f75739abd6e 7f1e7f45e0838e98 ", fingerprints(RandomChooser::new));
        assertEquals(
                "7408ec9f2c228e5e 60ab529182e9212a 7408ec9f2c228e5e ", fingerprints(seed -> new PctChooser(seed, 3)));
    }

    private static String fingerprints(LongFunction<Chooser> ofSeed) {
        var watch = StallWatch.begin(true, how -> {});
        try {
            var lane = new Lane(test -> orderOf(test, 5), Runs.ofSeeds(1, 3, ofSeed), "SchedulesTest");
            var all = new StringBuilder();
            for (long seed = 1; seed <= 3; seed++) {
                Trace trace = Trace.silent();
                assertNull(lane.runOne(ofSeed.apply(seed), trace, watch));
                all.append(Long.toHexString(trace.fingerprint())).append(' ');
            }
            return all.toString();
        } finally {
            watch.end();
        }
    }

    private static final ThrowingConsumer<TestSystem> WRONG = test -> assertEquals("12", orderOf(test, 2));

    @Test
    void aFailureReportContainsTheCommandThatRepeatsIt() {
        ScheduleFailure random =
                assertThrows(ScheduleFailure.class, () -> Schedules.random(100).check(WRONG));
        assertTrue(random.getMessage().contains("@ActorTest(" + random.replay() + ")"), random.getMessage());
        assertTrue(random.schedule().contains("target handles 2 from sender 2"), random.getMessage());
        assertFalse(random.getMessage().contains("another course"), random.getMessage());
        ScheduleFailure all =
                assertThrows(ScheduleFailure.class, () -> Schedules.all(1_000).check(WRONG));
        String schedule = all.replay().replace("schedule = \"", "").replace("\"", "");
        ScheduleFailure again = assertThrows(
                ScheduleFailure.class, () -> Schedules.schedule(schedule).check(WRONG));
        assertEquals(all.schedule(), again.schedule());
        assertEquals(all.replay(), again.replay());
    }

    @Test
    void parallelRunsFindTheSameSeed() {
        ScheduleFailure one = assertThrows(
                ScheduleFailure.class, () -> Schedules.random(1_000).check(WRONG));
        ScheduleFailure two = assertThrows(
                ScheduleFailure.class, () -> Schedules.random(1_000).parallel(2).check(WRONG));
        assertEquals(one.getMessage(), two.getMessage());
    }

    @Test
    void theExceptionOfTheTestIsTheCause() {
        var cause = new IllegalStateException("mine");
        ScheduleFailure failure = assertThrows(
                ScheduleFailure.class,
                () -> Schedules.random(1).check(test -> {
                    throw cause;
                }));
        assertSame(cause, failure.getCause());
    }

    @Test
    void anExternalDependencyOfARunIsReported() {
        int[] run = {0};
        ScheduleFailure failure = assertThrows(
                ScheduleFailure.class,
                () -> Schedules.random(1).check(test -> {
                    assertEquals(1, ++run[0]);
                    throw new IllegalStateException("only now");
                }));
        assertFalse(failure.getMessage().contains("another course"), "it fails again, though for another reason");
        run[0] = 0;
        failure = assertThrows(
                ScheduleFailure.class,
                () -> Schedules.random(1).check(test -> {
                    if (run[0]++ == 0) {
                        throw new IllegalStateException("only now");
                    }
                }));
        assertTrue(failure.getMessage().contains("another course"), failure.getMessage());
    }

    @Test
    void badInputIsExplained() {
        assertThrows(IllegalArgumentException.class, () -> Schedules.random(0));
        assertThrows(IllegalArgumentException.class, () -> Schedules.pct(1, 0));
        assertThrows(IllegalArgumentException.class, () -> Schedules.random(1).parallel(0));
        assertThrows(IllegalStateException.class, () -> Schedules.all(1).parallel(2));
        assertThrows(IllegalStateException.class, () -> Schedules.all(1).only(2));
        assertThrows(IllegalArgumentException.class, () -> Schedules.schedule("a.b"));
        AssertionError tooMany =
                assertThrows(AssertionError.class, () -> Schedules.all(3).check(test -> orderOf(test, 4)));
        assertTrue(tooMany.getMessage().startsWith("there are more than 3 schedules"), tooMany.getMessage());
    }
}
