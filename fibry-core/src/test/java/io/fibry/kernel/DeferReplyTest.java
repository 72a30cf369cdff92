package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorStoppedException;
import io.fibry.AskTimeoutException;
import io.fibry.ReplyActor;
import io.fibry.ReplyContext;
import io.fibry.ReplyTo;
import io.fibry.StopMode;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.LogLines;
import io.fibry.testing.Stats;
import io.fibry.testing.UninterruptibleGate;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** Replies that are given later. */
class DeferReplyTest extends KernelTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    /** The actions of a behavior on its context; its return value is the reply, unless the reply is deferred. */
    @FunctionalInterface
    private interface Code {
        String run(ReplyContext<Code, String> context) throws Exception;
    }

    private static ReplyActor<Code, String> actor(ActorBuilder<Object> builder) {
        return builder.newActorWithReturnFrom(context -> code -> code.run(context));
    }

    /** An ask whose reply is deferred. */
    private static final class Deferred {
        private final CompletableFuture<ReplyTo<String>> replyTo = new CompletableFuture<>();
        private final CompletableFuture<String> asked;

        Deferred(ReplyActor<Code, String> actor) {
            asked = actor.ask(context -> {
                replyTo.complete(context.deferReply());
                return "ignored";
            });
        }

        ReplyTo<String> replyTo() {
            return Await.value(replyTo);
        }
    }

    private static ActorStoppedException isStopped(CompletableFuture<?> asked) {
        return assertInstanceOf(ActorStoppedException.class, Await.failure(asked));
    }

    private static void assertNothingDeferred(Actor<?> actor) {
        DeferredReplies deferred = ActorCell.of(actor).lifecycle().deferredIfAny();
        assertTrue(deferred == null || deferred.isEmpty());
    }

    @AllStrategies(direct = true)
    void anotherThreadRepliesLaterAndTheResultIsIgnored(ThreadStrategy strategy) {
        var actor = actor(actor(strategy));
        var deferred = new Deferred(actor);
        assertEquals("next", Await.value(actor.ask(context -> "next")));
        assertFalse(deferred.asked.isDone());
        assertTrue(deferred.replyTo().reply("a"));
        assertEquals("a", Await.value(deferred.asked));
        assertFalse(deferred.replyTo().reply("b") || deferred.replyTo().fail(new IOException()));
        var failing = new Deferred(actor);
        var failure = new IOException("meant to fail");
        assertTrue(failing.replyTo().fail(failure));
        assertSame(failure, Await.failure(failing.asked));
        assertNothingDeferred(actor);
        actor.close();
        assertEquals(Stats.ofSent(3, 0, 0, 0), system.stats());
    }

    @AllStrategies(direct = true)
    void eachMessageHasOneReplyObjectOfItsOwn(ThreadStrategy strategy) {
        var actor = actor(actor(strategy));
        var first = new AtomicReference<ReplyTo<String>>();
        assertEquals("a", Await.value(actor.ask(context -> {
            first.set(context.deferReply());
            assertSame(first.get(), context.deferReply());
            context.deferReply().reply("a");
            return "ignored";
        })));
        assertEquals("b", Await.value(actor.ask(context -> {
            assertNotSame(first.get(), context.deferReply());
            context.deferReply().reply("b");
            return "ignored";
        })));
        assertEquals("not deferred", Await.value(actor.ask(context -> "not deferred")));
        assertNothingDeferred(actor);
    }

    @AllStrategies(direct = true)
    void theReplyToATellOrATaskIsIgnored(ThreadStrategy strategy) {
        var actor = actor(actor(strategy));
        var told = new CompletableFuture<Boolean>();
        actor.tell(context -> {
            told.complete(context.deferReply().reply("a"));
            return "ignored";
        });
        assertFalse(Await.value(told));
        var inTask = new CompletableFuture<Boolean>();
        actor.tell(context -> {
            context.self().execute(() -> inTask.complete(context.deferReply().reply("a")));
            return "ignored";
        });
        assertFalse(Await.value(inTask));
        var inMessage = new CompletableFuture<Boolean>();
        Function<ReplyTo<String>, Code> message = replyTo -> context -> {
            inMessage.complete(context.deferReply().reply("a"));
            replyTo.reply("typed");
            return "ignored";
        };
        assertEquals("typed", Await.value(actor.ask(message, LONG)));
        assertFalse(Await.value(inMessage));
        assertNothingDeferred(actor);
    }

    @AllStrategies(direct = true)
    void anExceptionAfterDeferReplyFailsTheAsk(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            var actor = actor(actor(strategy));
            var thrown = new IOException("meant to fail");
            assertSame(thrown, Await.failure(actor.ask(context -> {
                context.deferReply();
                throw thrown;
            })));
            assertNothingDeferred(actor);
            assertEquals("", log.text());
            assertEquals("a", Await.value(actor.ask(context -> {
                context.deferReply().reply("a");
                throw thrown;
            })));
            actor.close();
            assertEquals(1, log.with(thrown.toString()).size(), log::text);
        }
    }

    @AllStrategies
    void theEndOfTheActorFailsTheAsk(ThreadStrategy strategy) {
        for (StopMode mode : StopMode.values()) {
            var actor = actor(actor(strategy));
            var deferred = new Deferred(actor);
            var replyTo = deferred.replyTo();
            actor.stop(mode);
            isStopped(deferred.asked);
            assertFalse(replyTo.reply("too late"));
            Await.end(actor);
            assertNothingDeferred(actor);
        }
    }

    @AllStrategies
    void aHardStopFailsTheAskAtOnceDuringAHandler(ThreadStrategy strategy) {
        for (StopMode mode : new StopMode[] {StopMode.DISCARD, StopMode.INTERRUPT}) {
            var actor = actor(actor(strategy));
            var earlier = new Deferred(actor);
            var uninterruptible = new UninterruptibleGate();
            var running = actor.ask(context -> {
                context.deferReply();
                uninterruptible.pass();
                return "ignored";
            });
            uninterruptible.awaitReached();
            actor.stop(mode);
            isStopped(earlier.asked);
            isStopped(running);
            assertFalse(actor.exit().isDone());
            uninterruptible.open();
            Await.end(actor);
        }
    }

    @AllStrategies
    void drainingActorsCanReplyUntilTheirLastHook(ThreadStrategy strategy) {
        var inHook = new AtomicReference<ReplyTo<String>>();
        var actor = actor(actor(strategy).onStop(exit -> inHook.get().reply("hook")));
        var first = new Deferred(actor);
        var second = new Deferred(actor);
        inHook.set(second.replyTo());
        var gate = new Gate();
        actor.tell(context -> {
            gate.pass();
            return "ignored";
        });
        gate.awaitReached();
        actor.stop();
        assertFalse(first.asked.isDone());
        assertTrue(first.replyTo().reply("draining"));
        gate.open();
        assertEquals("draining", Await.value(first.asked));
        assertEquals("hook", Await.value(second.asked));
    }

    @AllStrategies(direct = true)
    void aRestartFailsTheAskAndTheNextOnesAreAnswered(ThreadStrategy strategy) {
        var actor = actor(actor(strategy).supervision(Supervision.restart()));
        var deferred = new Deferred(actor);
        var thrown = new IOException("meant to fail");
        assertSame(thrown, Await.failure(actor.ask(context -> {
            throw thrown;
        })));
        assertTrue(isStopped(deferred.asked).getMessage().contains("restarted"));
        assertFalse(deferred.replyTo().reply("too late"));
        assertEquals("a", Await.value(actor.ask(context -> "a")));
        assertNothingDeferred(actor);
    }

    @AllStrategies(direct = true)
    void aRestartFailsTheAskBeforeItsBackoff(ThreadStrategy strategy) {
        var day = Duration.ofDays(1);
        var actor = actor(actor(strategy).supervision(Supervision.restart().backoff(day, day)));
        var deferred = new Deferred(actor);
        Await.failure(actor.ask(context -> {
            throw new IOException("meant to fail");
        }));
        assertTrue(isStopped(deferred.asked).getMessage().contains("restarted"));
    }

    @AllStrategies(direct = true)
    void aMessageIsEitherStashedOrDeferred(ThreadStrategy strategy) {
        var actor = actor(actor(strategy));
        var failures = new CompletableFuture<String>();
        var asked = actor.ask(context -> {
            if (!failures.isDone()) {
                context.stash();
                failures.complete(assertThrows(IllegalStateException.class, context::deferReply)
                        .getMessage());
                context.self().tell(then -> {
                    then.unstashAll();
                    return "ignored";
                });
                return "ignored";
            }
            context.deferReply()
                    .reply(assertThrows(IllegalStateException.class, context::stash)
                            .getMessage());
            return "ignored";
        });
        assertTrue(Await.value(asked).contains("has deferred the reply"), () -> Await.value(asked));
        assertTrue(Await.value(failures).contains("has stashed this message"), () -> Await.value(failures));
    }

    /** No asker waits for the reply. */
    @AllStrategies(direct = true)
    void aTellIsStashedAfterItsReplyWasDeferred(ThreadStrategy strategy) {
        var actor = actor(actor(strategy));
        var calls = new AtomicInteger();
        actor.tell(context -> {
            context.deferReply();
            if (calls.incrementAndGet() == 1) {
                context.stash();
            }
            return "ignored";
        });
        actor.tell(context -> {
            context.unstashAll();
            return "ignored";
        });
        Await.until("the message is handled again", () -> calls.get() == 2);
    }

    @AllStrategies
    void anAskWithADeferredReplyCanTimeOut(ThreadStrategy strategy) {
        var actor = actor(actor(strategy));
        var replyTo = new CompletableFuture<ReplyTo<String>>();
        var reply = new Reply<String>(null);
        var limit = new AskTimeout(ActorCell.of(actor), reply, LONG);
        Code code = context -> {
            replyTo.complete(context.deferReply());
            return "ignored";
        };
        assertNull(ActorCell.of(actor).trySend(new Envelope(code, reply)));
        Await.value(replyTo);
        Await.value(actor.ask(context -> "behind it"));
        var e = limit.end();
        assertTrue(
                e.getMessage().contains("handled, but not replied to: its handler deferred the reply"), e::getMessage);
        assertTrue(reply.completeExceptionally(e));
        assertFalse(Await.value(replyTo).reply("too late"));
        assertNothingDeferred(actor);

        assertInstanceOf(AskTimeoutException.class, Await.failure(actor.ask(code, Duration.ofMillis(1))));
        assertEquals("a", Await.value(actor.ask(context -> "a")));
        assertNothingDeferred(actor);
    }

    @AllStrategies(direct = true)
    void deferReplyOutsideOfAMessageIsRefused(ThreadStrategy strategy) {
        var context = new CompletableFuture<ReplyContext<Code, String>>();
        var inFactory = new CompletableFuture<Throwable>();
        ReplyActor<Code, String> actor = actor(strategy).newActorWithReturnFrom(c -> {
            inFactory.complete(assertThrows(IllegalStateException.class, c::deferReply));
            context.complete(c);
            return code -> code.run(c);
        });
        assertInstanceOf(IllegalStateException.class, Await.value(inFactory));
        assertEquals("a", Await.value(actor.ask(c -> "a")));
        assertThrows(IllegalStateException.class, () -> Await.value(context).deferReply());
    }

    @AllStrategies
    void anActorThatAsksInPlaceWaitsForADeferredReply(ThreadStrategy strategy) {
        var inner = actor(actor(strategy));
        var replyTo = new CompletableFuture<ReplyTo<String>>();
        var outer = actor(strategy)
                .newActorWithReturn((String text) -> text
                        + inner.call(context -> {
                            replyTo.complete(context.deferReply());
                            return "ignored";
                        }));
        var asked = outer.ask("a");
        Await.value(replyTo);
        assertEquals("free", Await.value(inner.ask(context -> "free")));
        assertFalse(asked.isDone());
        assertTrue(Await.value(replyTo).reply("b"));
        assertEquals("ab", Await.value(asked));
        assertNothingDeferred(inner);
    }
}
