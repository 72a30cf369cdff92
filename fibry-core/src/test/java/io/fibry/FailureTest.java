package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.LogLines;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/** Behaviors that throw. */
class FailureTest extends KernelTest {

    @AllStrategies(direct = true)
    void theAskerGetsTheIdenticalExceptionAndTheActorContinues(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            for (Throwable thrown :
                    new Throwable[] {new IllegalArgumentException("no"), new StackOverflowError("no")}) {
                ReplyActor<Integer, Integer> actor = actor(strategy).newActorWithReturn((Integer n) -> {
                    if (n == 0) {
                        throw unchecked(thrown);
                    }
                    return n;
                });
                assertSame(thrown, Await.failure(actor.ask(0)));
                assertEquals(1, Await.value(actor.ask(1)));
            }
            assertEquals("", log.text());
        }
    }

    /** An asker no longer waits. */
    @AllStrategies
    void anExceptionAfterTheEndOfAnAskIsLogged(ThreadStrategy strategy) {
        for (boolean cancelled : new boolean[] {true, false}) {
            try (var log = new LogLines()) {
                var gate = new Gate();
                ReplyActor<Integer, Integer> actor = system.actor("clerk")
                        .strategy(strategy)
                        .newActorWithReturn((Integer n) -> {
                            gate.pass();
                            throw new IllegalStateException("too late");
                        });
                var asked = cancelled ? actor.ask(1) : actor.ask(1, Duration.ofMillis(200));
                gate.awaitReached();
                if (cancelled) {
                    asked.cancel(false);
                }
                Await.until("the ask has ended", asked::isDone);
                gate.open();
                actor.close();
                assertEquals(1, log.with("ERROR", "clerk").size(), log::text);
                assertEquals(1, log.with("too late").size(), log::text);
            }
        }
    }

    @AllStrategies(direct = true)
    void anExceptionOfATellIsLoggedOnceWithTheNameAndTheActorContinues(ThreadStrategy strategy) {
        for (Throwable thrown :
                new Throwable[] {new IllegalArgumentException("oops"), new StackOverflowError("oops")}) {
            try (var log = new LogLines()) {
                ReplyActor<Integer, Integer> actor = system.actor("clerk")
                        .strategy(strategy)
                        .newActorWithReturn((Integer n) -> {
                            if (n == 0) {
                                throw unchecked(thrown);
                            }
                            return n;
                        });
                actor.tell(0);
                assertEquals(1, Await.value(actor.ask(1)));
                assertEquals(ActorExit.Reason.NORMAL, exitAfterStop(actor).reason());
                assertEquals(1, log.with("ERROR", "clerk").size(), log::text);
                assertEquals(1, log.with(thrown.toString()).size(), log::text);
            }
        }
    }

    @AllStrategies(direct = true)
    void anExceptionOfATaskIsLoggedOnceAndTheActorContinues(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            var sink = system.actor("clerk").strategy(strategy).newSink(new int[1]);
            sink.execute(() -> {
                throw new IllegalStateException("oops");
            });
            sink.execute(state -> state[0]++);
            assertEquals(ActorExit.Reason.NORMAL, exitAfterStop(sink).reason());
            assertEquals(1, log.with("ERROR", "clerk").size(), log::text);
        }
    }

    @AllStrategies(direct = true)
    void othersDoNotNotice(ThreadStrategy strategy) {
        var other = actor(strategy).newActorWithReturn((Integer n) -> n);
        var broken = actor(strategy).newActor((Integer n) -> {
            throw new AssertionError("thrown on purpose");
        });
        for (int i = 0; i < 200; i++) {
            broken.tell(i);
            assertEquals(i, Await.value(other.ask(i)));
        }
        assertEquals(ActorExit.Reason.NORMAL, exitAfterStop(broken).reason());
    }

    @AllStrategies(direct = true)
    void anErrorWithoutAnAskerReachesTheDefaultHandler(ThreadStrategy strategy) {
        var before = Thread.getDefaultUncaughtExceptionHandler();
        var seen = new AtomicReference<Throwable>();
        Thread.setDefaultUncaughtExceptionHandler((thread, t) -> seen.set(t));
        try {
            var error = new AssertionError("thrown on purpose");
            var actor = actor(strategy).newActor((Integer n) -> {
                throw error;
            });
            actor.tell(1);
            exitAfterStop(actor);
            assertSame(error, seen.get());
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    @AllStrategies
    void supervisionStopEndsTheActorAsFailed(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            var cause = new IllegalStateException("broken");
            var gate = new Gate();
            ReplyActor<Integer, Integer> actor = system.actor("clerk")
                    .strategy(strategy)
                    .supervision(Supervision.stop())
                    .newActorWithReturn((Integer n) -> {
                        gate.pass();
                        throw cause;
                    });
            actor.tell(1);
            var queued = actor.ask(2);
            actor.tell(3);
            gate.open();
            ActorExit exit = Await.end(actor);
            assertEquals(ActorExit.Reason.FAILED, exit.reason());
            assertSame(cause, exit.cause());
            Throwable refusal = Await.failure(queued);
            assertInstanceOf(ActorStoppedException.class, refusal);
            assertSame(cause, refusal.getCause());
            assertEquals(1, log.with("ERROR", "clerk").size(), log::text);
            assertEquals(2, exit.discarded());
            assertFalse(log.with("clerk", "java.lang.Integer", "FAILED").isEmpty(), log::text);
        }
    }

    @AllStrategies
    void supervisionStopReportsAFailureToTheAskerAndNotToTheLog(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            var cause = new IllegalStateException("broken");
            var actor = actor(strategy).supervision(Supervision.stop()).newActorWithReturn((Integer n) -> {
                throw cause;
            });
            assertSame(cause, Await.failure(actor.ask(1)));
            assertSame(cause, Await.end(actor).cause());
            assertEquals("", log.text());
        }
    }

    @AllStrategies(direct = true)
    void anActorThatCannotReplyHasNoAsk(ThreadStrategy strategy) {
        Actor<Integer> actor = actor(strategy).newActor((Integer n) -> {});
        assertTrue(!(actor instanceof ReplyActor<?, ?>));
        assertThrows(NullPointerException.class, () -> actor.tell(null));
    }

    private static ActorExit exitAfterStop(Actor<?> actor) {
        actor.stop();
        return Await.end(actor);
    }

    private static RuntimeException unchecked(Throwable t) {
        if (t instanceof Error error) {
            throw error;
        }
        return (RuntimeException) t;
    }
}
