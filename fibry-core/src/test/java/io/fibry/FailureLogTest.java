package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import io.fibry.testing.LogLines;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Failures of one actor are logged once per second, and each failure is counted. */
class FailureLogTest extends KernelTest {

    private static final int FAILURES = 1_000;
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final Pattern COUNT = Pattern.compile("(\\d+) more failures of this actor were not logged");

    @AllStrategies(direct = true)
    void manyFailuresGetFewLinesWhoseCountsAddUp(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            long start = System.nanoTime();
            var clerk = failing("clerk", strategy);
            for (int i = 0; i < FAILURES; i++) {
                clerk.tell(i);
            }
            clerk.stop();
            assertEquals(FAILURES, Await.end(clerk).failed());
            long seconds = (System.nanoTime() - start) / SECOND;
            List<String> failures = log.with("ERROR", "Actor clerk failed to handle a message");
            List<String> ends = log.with("ERROR", "Actor clerk ends;");
            assertEquals(FAILURES, failures.size() + counted(failures) + counted(ends), log::text);
            assertTrue(failures.size() <= 1 + seconds, log::text);
            assertTrue(ends.size() <= 1, log::text);
            assertTrue(ends.size() == 1 || failures.size() > 1, log::text);
        }
    }

    @AllStrategies(direct = true)
    void eachActorHasItsOwnLine(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            for (String name : List.of("clerk", "boss")) {
                var actor = failing(name, strategy);
                actor.tell(1);
                actor.close();
                assertEquals(1, log.with("ERROR", "Actor " + name).size(), log::text); // and no line about its end
                assertEquals(1, log.with("number 1 of " + name).size(), log::text);
            }
        }
    }

    /** They are not logged, and do not suppress lines of other failures. */
    @AllStrategies(direct = true)
    void failuresReportedToAnAskerAreNotCounted(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            ReplyActor<Integer, Integer> actor =
                    system.actor("clerk").strategy(strategy).newActorWithReturn((Integer n) -> 1 / n);
            for (int i = 0; i < 10; i++) {
                Await.failure(actor.ask(0));
            }
            assertEquals("", log.text());
            actor.tell(0);
            actor.close();
            assertEquals(1, log.with("ERROR", "Actor clerk").size(), log::text);
            assertFalse(COUNT.matcher(log.text()).find(), log::text);
        }
    }

    private Actor<Integer> failing(String name, ThreadStrategy strategy) {
        return system.actor(name).strategy(strategy).newActor((Integer n) -> {
            throw new IllegalStateException("number " + n + " of " + name);
        });
    }

    private static long counted(List<String> lines) {
        return lines.stream()
                .map(COUNT::matcher)
                .filter(Matcher::find)
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .sum();
    }
}
