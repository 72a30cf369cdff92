package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** A failed stored message delays only the later messages of its sender. */
class EffectFailuresTest extends EffectsFixture {

    /** The failed message and the others of its sender do not delay other senders, however many there are. */
    @Test
    void aLongBacklogBehindAFailedMessage() {
        int backlog = 2_000;
        for (long number = 1; number <= backlog; number++) {
            storeMessage(number, "a", "c", number == 1 ? step("bad", "fail") : step("waits", ""));
        }
        storeMessage(backlog + 1L, "z", "c", step("z", ""));
        test.advance(Duration.ofSeconds(40));
        assertEquals(List.of("z"), texts("c"));
        assertEquals(backlog, store.messages.size());
        long attempts = calls.stream().filter("c bad"::equals).count();
        assertTrue(attempts >= 4 && attempts <= 20, attempts + " attempts");
    }

    /** Messages precede reminders, so the new ones are stored before the place of the failed one. */
    @Test
    void messagesThatAreStoredDuringAFailureAreInOrder() {
        storeReminder(1, "c", step("bad", "fail"));
        during.put("bad", () -> {
            storeMessage(2, "z", "c", step("x", ""));
            storeMessage(3, "z", "c", step("y", ""));
        });
        test.advance(Duration.ofSeconds(10));
        assertEquals(List.of("x", "y"), texts("c"));
    }

    /** An entity handles up to about 1,000 messages for each wake. */
    @Test
    void theRestOfALongBacklogIsNotDelayedByAFailure() {
        int backlog = 1_500;
        storeMessage(1, "a", "c", step("bad", "fail"));
        for (long number = 2; number <= backlog + 1; number++) {
            storeMessage(number, "z", "c", step("z", ""));
        }
        test.advance(Duration.ofMillis(300)); // the next claim returns the message after a second
        assertEquals(backlog, texts("c").stream().filter("z"::equals).count());
    }

    @Test
    void noMessageIsBegunAfterAnInterrupt() {
        Runnable wraps = () -> {
            throw new IllegalStateException(new RuntimeException(new InterruptedException()));
        };
        Runnable restores = () -> {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("ended");
        };
        for (Runnable interrupted : List.of(wraps, restores)) {
            calls.clear();
            storeMessage(1, "a", "c", step("first", ""));
            storeMessage(2, "z", "c", step("second", ""));
            during.put("first", interrupted);
            test.advance(Duration.ofMillis(300));
            assertEquals(List.of("c first"), calls);
            test.advance(Duration.ofSeconds(10));
            assertEquals(List.of("c first", "c first", "c second"), calls);
        }
    }

    /** The exception of a future is not an interrupt of the entity. */
    @Test
    void anInterruptOfAnotherThreadIsAFailure() {
        storeMessage(1, "a", "c", step("first", ""));
        storeMessage(2, "z", "c", step("second", ""));
        during.put("first", () -> {
            throw new CompletionException(new InterruptedException());
        });
        test.advance(Duration.ofMillis(300));
        assertEquals(List.of("c first", "c second"), calls);
    }

    @Test
    void anErrorDelaysOnlyItsSender() {
        tell("a", "1", "send c x;error-at c bad;send c y");
        tell("b", "1", "send c z");
        assertEquals(List.of("x", "z"), texts("c"));
    }
}
