package io.fibry.entity;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorRef;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingRunnable;
import io.fibry.stereotypes.Stereotypes;
import io.fibry.testing.LogLines;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Entities that cannot start, fail at a message, or fail at their end. */
class EntityFailuresTest extends EntitiesCase {

    /** A key that runs out of memory at its second use: when the new entity is added to the map. */
    private static final class ExhaustedKey {
        private final AtomicInteger uses = new AtomicInteger();

        @Override
        public int hashCode() {
            if (uses.incrementAndGet() == 2) {
                throw new OutOfMemoryError("on purpose");
            }
            return 1;
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public String toString() {
            return "exhausted";
        }
    }

    @Test
    void anEntityThatCannotBeAddedToTheMapEnds() {
        LocalEntities<ExhaustedKey, Integer, Integer> entities = Stereotypes.with(ThreadStrategy.virtual())
                .in(system)
                .named("carts")
                .entities(key -> message -> message, ALWAYS);
        ActorRef<Integer, Integer> ref = entities.ref(new ExhaustedKey());
        assertThrows(OutOfMemoryError.class, () -> ref.tell(1));
        await().until(() -> system.actors().noneMatch(actor -> "carts".equals(actor.parent())));
        assertEquals(1, ref.ask(1, MINUTE).join());
    }

    @Test
    void aMessageFailsIfItsEntityCannotBegin() {
        var attempts = new AtomicInteger();
        Entities<String, Integer, Integer> counts = start(
                ThreadStrategy.virtual(),
                key -> {
                    if (attempts.incrementAndGet() == 1) {
                        throw new IOException("no database");
                    }
                    return new Count(key);
                },
                ALWAYS);
        CompletableFuture<Integer> first = counts.ref("a").ask(ANY, MINUTE);
        var e = assertThrows(ExecutionException.class, () -> first.get(60, TimeUnit.SECONDS));
        assertInstanceOf(IOException.class, e.getCause());
        assertEquals(1, ask(counts, "a"));
    }

    @Test
    void messagesAreKeptUntilTheirEntityCanBegin() {
        var attempts = new AtomicInteger();
        try (var log = new LogLines()) {
            Entities<String, Integer, Integer> counts = start(
                    ThreadStrategy.virtual(),
                    key -> {
                        if (attempts.incrementAndGet() < 4) {
                            throw new IOException("no database");
                        }
                        return new Count(key);
                    },
                    ALWAYS.startRetryDelay(Duration.ofMillis(1)));
            counts.ref("a").tell(1);
            assertEquals(2, ask(counts, "a"));
            assertEquals(3, log.with("WARN", "Entity carts/a cannot begin").size(), log::text);
        }
    }

    @Test
    void aStopDoesNotWaitForAnEntityThatCannotBegin() throws Exception {
        var tried = new CountDownLatch(1);
        LocalEntities<String, Integer, Integer> counts = start(
                ThreadStrategy.virtual(),
                key -> {
                    tried.countDown();
                    throw new IOException("no database");
                },
                ALWAYS.startRetryDelay(Duration.ofHours(1)));
        CompletableFuture<Integer> asked = counts.ref("a").ask(ANY, MINUTE);
        assertTrue(tried.await(60, TimeUnit.SECONDS));
        assertTrue(counts.close(MINUTE));
        var e = assertThrows(ExecutionException.class, () -> asked.get(60, TimeUnit.SECONDS));
        assertInstanceOf(IOException.class, e.getCause());
    }

    /** A behavior that counts its messages, and fails at a zero. */
    private static EntityBehavior<String, Integer> fragile(AtomicInteger begun) {
        begun.incrementAndGet();
        var count = new AtomicInteger();
        return message -> {
            if (count.incrementAndGet() == 2) {
                throw new IllegalStateException("on purpose");
            }
            return count.get();
        };
    }

    @Test
    void theSupervisionDecidesHowAFailedEntityContinues() {
        for (Supervision supervision : List.of(Supervision.resume(), Supervision.restart(), Supervision.stop())) {
            var begun = new AtomicInteger();
            try (LocalEntities<String, String, Integer> entities =
                    start(ThreadStrategy.virtual(), key -> fragile(begun), ALWAYS.supervision(supervision))) {
                assertEquals(1, entities.ref("a").ask("", MINUTE).join());
                CompletableFuture<Integer> failing = entities.ref("a").ask("", MINUTE);
                assertThrows(ExecutionException.class, () -> failing.get(60, TimeUnit.SECONDS));
                if (supervision == Supervision.stop()) {
                    await().until(() ->
                            entities.size() == 0); // until then it may still accept a message, and discard it
                }
                boolean goesOn = supervision == Supervision.resume();
                assertEquals(goesOn ? 3 : 1, entities.ref("a").ask("", MINUTE).join());
                assertEquals(goesOn ? 1 : 2, begun.get());
            }
        }
    }

    @Test
    void aFailureAtTheEndIsLoggedAndTheNextOneBegins() {
        try (var log = new LogLines()) {
            LocalEntities<String, String, Integer> entities = start(
                    ThreadStrategy.virtual(),
                    key -> ending(() -> {
                        throw new IOException("no database");
                    }),
                    ALWAYS);
            assertEquals(1, entities.ref("a").ask("", MINUTE).join());
            entities.end("a");
            assertEquals(1, entities.ref("a").ask("", MINUTE).join());
            assertTrue(entities.close(MINUTE));
            assertEquals(
                    2, log.with("ERROR", "Entity carts/a has failed at its end").size(), log::text);
        }
    }

    /**
     * The ask goes to the next entity when its time limit has expired: it fails with a timeout, and not because the
     * time is negative.
     */
    @Test
    void anAskCanBePassedOnAfterItsTimeLimit() throws Exception {
        var ending = new CountDownLatch(1);
        var gate = new CountDownLatch(1);
        LocalEntities<String, String, Integer> entities = start(
                ThreadStrategy.virtual(),
                key -> ending(() -> {
                    ending.countDown();
                    gate.await();
                }),
                ALWAYS);
        assertEquals(1, entities.ref("a").ask("", MINUTE).join());
        entities.end("a");
        ending.await();
        CompletableFuture<Integer> late = entities.ref("a").ask("", Duration.ofNanos(1));
        assertInstanceOf(
                TimeoutException.class,
                assertThrows(ExecutionException.class, late::get).getCause());
        gate.countDown();
    }

    /** A behavior that replies 1, and runs this code at its end. */
    private static EntityBehavior<String, Integer> ending(ThrowingRunnable code) {
        return new EntityBehavior<>() {
            @Override
            public Integer handle(String message) {
                return 1;
            }

            @Override
            public void onEnd() throws Exception {
                code.run();
            }
        };
    }
}
