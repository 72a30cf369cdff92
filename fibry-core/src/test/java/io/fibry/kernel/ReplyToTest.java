package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorStoppedException;
import io.fibry.AskTimeoutException;
import io.fibry.ForwardingActor;
import io.fibry.MailboxFullException;
import io.fibry.Overflow;
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
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Asks whose reply address is in the message. */
class ReplyToTest extends KernelTest {

    private static final Duration SHORT = Duration.ofMillis(1);
    private static final Duration LONG = Duration.ofMinutes(1);

    /** A message that is its own behavior. */
    private record Question(ReplyTo<String> replyTo, Consumer<ReplyTo<String>> code) {
        void run() {
            code.accept(replyTo);
        }
    }

    private static CompletableFuture<String> ask(Actor<Question> actor, Consumer<ReplyTo<String>> code) {
        return actor.ask(replyTo -> new Question(replyTo, code), LONG);
    }

    private static void isStopped(CompletableFuture<?> asked) {
        assertInstanceOf(ActorStoppedException.class, Await.failure(asked));
    }

    /** The counters are exact when no message is handled; a turn may still be about to end. */
    private void assertCounts(long handled, long refused, long dropped, long dead) {
        var wanted = Stats.ofSent(handled, refused, dropped, dead);
        Await.until(wanted + ", now " + system.stats(), () -> system.stats().equals(wanted));
    }

    private static final class Forwarding extends ForwardingActor<Question> {
        Forwarding(Actor<Question> actor) {
            super(actor);
        }
    }

    /** Actors of all kinds that accept such asks. */
    private List<Actor<Question>> actors(ThreadStrategy strategy) {
        Actor<Question> early = system.findOrExpect("early", 10);
        Actor<Question> late = system.findOrExpect("late", 10);
        Actor<Question> unused = system.actor("late").strategy(strategy).newActor(Question::run);
        assertEquals("late", unused.name());
        return List.of(
                actor(strategy).newActor(Question::run),
                actor(strategy).newActorFrom(context -> Question::run),
                actor(strategy).newActorWithReturn(question -> {
                    question.run();
                    return 1;
                }),
                actor(strategy).newActorWithReturnFrom(context -> question -> {
                    question.run();
                    return 1;
                }),
                actor(strategy).bounded(1, Overflow.BLOCK).newActor(Question::run),
                new Forwarding(actor(strategy).newActor(Question::run)),
                early,
                late);
    }

    @AllStrategies(direct = true)
    void everyKindOfActorReplies(ThreadStrategy strategy) throws Exception {
        for (Actor<Question> actor : actors(strategy)) {
            var asked = ask(actor, replyTo -> assertTrue(replyTo.reply("a")));
            if (actor.name().equals("early")) {
                assertFalse(asked.isDone());
                Actor<Question> unused =
                        system.actor("early").strategy(strategy).newActor(Question::run);
            }
            assertEquals("a", Await.value(asked));
            assertNull(Await.value(ask(actor, replyTo -> replyTo.reply(null))));
            assertEquals("b", actor.<String>call(replyTo -> new Question(replyTo, r -> r.reply("b")), LONG));
        }
        assertCounts(24, 0, 0, 0);
    }

    @AllStrategies(direct = true)
    void theFirstReplyOrFailureCounts(ThreadStrategy strategy) {
        for (Actor<Question> actor : actors(strategy)) {
            if (actor.name().equals("early")) {
                continue;
            }
            var later = new CompletableFuture<Boolean>();
            var failure = new IllegalStateException("meant to fail");
            assertEquals("a", Await.value(ask(actor, replyTo -> {
                replyTo.reply("a");
                later.complete(replyTo.reply("b") || replyTo.fail(failure));
            })));
            assertFalse(Await.value(later));
            assertSame(failure, Await.failure(ask(actor, replyTo -> assertTrue(replyTo.fail(failure)))));
        }
    }

    @AllStrategies(direct = true)
    void anotherActorOrThreadCanReplyLater(ThreadStrategy strategy) {
        var other = actor(strategy).newActor((ReplyTo<String> replyTo) -> replyTo.reply("other"));
        for (Actor<Question> actor : actors(strategy)) {
            if (actor.name().equals("early")) {
                continue;
            }
            assertEquals("other", Await.value(ask(actor, other::tell)));
            var kept = new CompletableFuture<ReplyTo<String>>();
            var asked = ask(actor, kept::complete);
            assertEquals("next", Await.value(ask(actor, replyTo -> replyTo.reply("next"))));
            assertFalse(asked.isDone());
            assertTrue(Await.value(kept).reply("thread"));
            assertEquals("thread", Await.value(asked));
        }
    }

    @AllStrategies(direct = true)
    void anExceptionFailsTheAskUnlessTheBehaviorHasReplied(ThreadStrategy strategy) {
        for (boolean replies : new boolean[] {false, true}) {
            try (var log = new LogLines()) {
                Actor<Question> actor = system.actor("clerk").strategy(strategy).newActor(Question::run);
                var thrown = new IllegalStateException("meant to fail");
                var asked = ask(actor, replyTo -> {
                    if (replies) {
                        replyTo.reply("a");
                    }
                    throw thrown;
                });
                if (replies) {
                    assertEquals("a", Await.value(asked));
                } else {
                    assertSame(thrown, Await.failure(asked));
                }
                actor.close();
                assertEquals(replies ? 1 : 0, log.with("ERROR", "clerk").size(), log::text);
            }
        }
    }

    @AllStrategies
    void anAskTimesOut(ThreadStrategy strategy) {
        Actor<Question> actor = actor(strategy).newActor(Question::run);
        var kept = new CompletableFuture<ReplyTo<String>>();
        CompletableFuture<String> asked = actor.ask(replyTo -> new Question(replyTo, kept::complete), SHORT);
        var e = assertInstanceOf(AskTimeoutException.class, Await.failure(asked));
        assertTrue(e.getMessage().contains(actor.name()) && e.getMessage().contains(SHORT.toString()), e::getMessage);
        actor.tell(new Question(null, unused -> {}));
        if (kept.isDone()) {
            assertFalse(Await.value(kept).reply("too late"));
        }
        Actor<Question> address = system.findOrExpect("nobody", 1);
        CompletableFuture<String> waiting = address.ask(replyTo -> new Question(replyTo, r -> {}), SHORT);
        var nobody = assertInstanceOf(AskTimeoutException.class, Await.failure(waiting));
        assertTrue(nobody.getMessage().contains("nobody did not answer within"), nobody::getMessage);
        assertTrue(nobody.getMessage().contains("does not exist yet"), nobody::getMessage);
    }

    @AllStrategies
    void aPendingReplyIsNamedAsTheReason(ThreadStrategy strategy) {
        Actor<Question> actor = actor(strategy).newActor(Question::run);
        var reply = new Reply.InMessage<String>(null);
        var limit = new AskTimeout(ActorCell.of(actor), reply, LONG);
        assertNull(ActorCell.of(actor).trySend(new Envelope(new Question(reply, r -> {}), reply)));
        Await.value(ask(actor, replyTo -> replyTo.reply("behind it")));
        assertTrue(
                limit.end().getMessage().contains("its ReplyTo has got no reply"),
                () -> limit.end().getMessage());
        reply.reply("a");
    }

    @AllStrategies
    void anEndedAskIsSkipped(ThreadStrategy strategy) {
        Actor<Question> actor = actor(strategy).newActor(Question::run);
        var gate = new Gate();
        actor.tell(new Question(null, unused -> gate.pass()));
        gate.awaitReached();
        assertTrue(ask(actor, replyTo -> replyTo.reply("skipped")).cancel(false));
        gate.open();
        actor.close();
        assertCounts(1, 0, 1, 0);
    }

    @AllStrategies
    void aStoppedActorFailsTheAskAtOnce(ThreadStrategy strategy) {
        Actor<Question> actor = actor(strategy).newActor(Question::run);
        var gate = new Gate();
        actor.tell(new Question(null, unused -> gate.pass()));
        gate.awaitReached();
        var waiting = ask(actor, replyTo -> replyTo.reply("never"));
        actor.stop(StopMode.DISCARD);
        isStopped(waiting); // before the handler ends
        isStopped(ask(actor, replyTo -> replyTo.reply("never")));
        gate.open();
        Await.end(actor);
        assertCounts(1, 1, 0, 1);
    }

    @AllStrategies
    void aFullMailboxFailsTheAsk(ThreadStrategy strategy) {
        Actor<Question> actor = actor(strategy).bounded(1, Overflow.FAIL).newActor(Question::run);
        var gate = new Gate();
        actor.tell(new Question(null, unused -> gate.pass()));
        gate.awaitReached();
        var first = ask(actor, replyTo -> replyTo.reply("a"));
        assertInstanceOf(MailboxFullException.class, Await.failure(ask(actor, replyTo -> replyTo.reply("b"))));
        gate.open();
        assertEquals("a", Await.value(first));
        Actor<Question> address = system.findOrExpect("nobody", 1);
        var kept = ask(address, replyTo -> replyTo.reply("never"));
        assertInstanceOf(MailboxFullException.class, Await.failure(ask(address, replyTo -> replyTo.reply("never"))));
        address.stop();
        isStopped(kept);
        isStopped(ask(address, replyTo -> replyTo.reply("never")));
        assertCounts(2, 3, 0, 1);
    }

    @AllStrategies
    void anActorThatEndsWithoutAReplyFailsTheAsk(ThreadStrategy strategy) {
        for (StopMode mode : StopMode.values()) {
            for (Actor<Question> actor : actors(strategy)) {
                if (actor.name().equals("early")) {
                    actor.stop();
                    continue;
                }
                var kept = new CompletableFuture<ReplyTo<String>>();
                var asked = ask(actor, kept::complete);
                ReplyTo<String> replyTo = Await.value(kept);
                actor.stop(mode);
                isStopped(asked);
                assertFalse(replyTo.reply("too late"));
                Await.end(actor);
            }
        }
        assertCounts(21, 0, 0, 0);
    }

    @AllStrategies(direct = true)
    void aRestartFailsTheAsk(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            Actor<Question> actor =
                    actor(strategy).supervision(Supervision.restart()).newActorFrom(context -> Question::run);
            var asked = ask(actor, replyTo -> {});
            actor.tell(new Question(null, unused -> {
                throw new IllegalStateException("meant to fail");
            }));
            var e = assertInstanceOf(ActorStoppedException.class, Await.failure(asked));
            assertTrue(e.getMessage().contains("restarted"), e::getMessage);
            assertEquals("a", Await.value(ask(actor, replyTo -> replyTo.reply("a"))));
            assertEquals(1, log.with("meant to fail").size(), log::text);
        }
        assertCounts(3, 0, 0, 0);
    }

    @AllStrategies(direct = true)
    void anAskCanBeStashed(ThreadStrategy strategy) {
        Actor<Question> actor = actor(strategy).newActorFrom(context -> question -> {
            if (question.replyTo() == null) {
                context.become(Question::run);
                context.unstashAll();
            } else {
                context.stash();
            }
        });
        var asked = ask(actor, replyTo -> replyTo.reply("a"));
        actor.execute(() -> assertFalse(asked.isDone()));
        actor.tell(new Question(null, unused -> {}));
        assertEquals("a", Await.value(asked));
        assertCounts(3, 0, 0, 0);
    }

    @AllStrategies(direct = true)
    void nullArgumentsAreRefused(ThreadStrategy strategy) {
        for (Actor<Question> actor : actors(strategy)) {
            assertThrows(NullPointerException.class, () -> actor.<String>ask(replyTo -> null, LONG));
            assertThrows(NullPointerException.class, () -> actor.ask(null, LONG));
            assertThrows(
                    NullPointerException.class,
                    () -> actor.<String>ask(replyTo -> new Question(replyTo, r -> r.reply("a")), null));
        }
        assertCounts(0, 0, 0, 0);
    }
}
