package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.AskTimeoutException;
import io.fibry.ReplyActor;
import io.fibry.ReplyTo;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The timeouts of asks whose message is not in the mailbox: it is stashed, or was handled without a reply.
 *
 * <p>Seen to fail: with a position from an older diagnosis; with a deferred reply that counts as handled while the
 * handler runs.
 */
class HandledAskTimeoutTest extends KernelTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final List<Object> handled = Collections.synchronizedList(new ArrayList<>());

    /** An ask whose time is over when the test says so. */
    private static final class LimitedAsk {
        private final Reply<Object> reply = new Reply<>(null);
        private final AskTimeout limit;

        LimitedAsk(Actor<Object> actor, Object message) {
            limit = new AskTimeout(ActorCell.of(actor), reply, LONG);
            assertNull(ActorCell.of(actor).trySend(new Envelope(message, reply)));
        }

        AskTimeoutException timeIsOver() {
            var e = limit.end();
            assertTrue(reply.completeExceptionally(e));
            return e;
        }
    }

    private static void assertText(String expected, AskTimeoutException e) {
        assertTrue(e.getMessage().contains(expected), e::getMessage);
    }

    @AllStrategies
    void aForgottenReplyToHasBeenHandled(ThreadStrategy strategy) {
        Actor<ReplyTo<String>> forgetful = actor(strategy).newActor(replyTo -> handled.add(replyTo));
        Reply<String> reply = Reply.inMessage(null, null);
        var limit = new AskTimeout(ActorCell.of(forgetful), reply, LONG);
        assertNull(ActorCell.of(forgetful).trySend(new Envelope(reply, reply)));
        Await.until(
                "the handler has returned",
                () -> handled.contains(reply) && ActorCell.of(forgetful).isIdle());
        assertTrue(
                limit.end()
                        .getMessage()
                        .matches(".*: the message was handled, but not replied to: its handler returned PT[0-9.]+S ago,"
                                + " and its ReplyTo has got no reply; the actor is idle"),
                () -> limit.end().getMessage());
    }

    /** The diagnosis is older than the end of the handler, and shows the message in the mailbox. */
    @AllStrategies
    void aMessageHandledAfterTheDiagnosisIsNotInTheMailbox(ThreadStrategy strategy) {
        var gate = new Gate();
        Actor<Object> forgetful = actor(strategy).newActor(message -> {
            if (message instanceof Gate g) {
                g.pass();
            }
            handled.add(message);
        });
        forgetful.tell(gate);
        gate.awaitReached();
        Reply<String> reply = Reply.inMessage(null, null);
        var limit = new AskTimeout(ActorCell.of(forgetful), reply, LONG);
        assertNull(ActorCell.of(forgetful).trySend(new Envelope(reply, reply)));
        var shared = new AtomicReference<AskTimeoutException>();
        Await.until("the diagnosis finds the message", () -> {
            shared.set(limit.end());
            return shared.get().position() == 1;
        });
        gate.open();
        Await.until("the handler has returned", () -> handled.contains(reply));
        Await.until(
                "its reply is deferred",
                () -> ActorCell.of(forgetful).lifecycle().rareState().deferred().openFor(reply) != null);
        var e = limit.end();
        assertText("the message was handled, but not replied to: its handler returned PT", e);
        assertEquals(-1, e.position());
    }

    /** The reply is deferred, but the handler has not returned. */
    @AllStrategies
    void aHandlerThatHasDeferredTheReplyAndStillRunsHasNotHandledTheMessage(ThreadStrategy strategy) {
        var gate = new Gate();
        ReplyActor<Object, Object> actor = actor(strategy).newActorWithReturnFrom(context -> message -> {
            context.deferReply();
            gate.pass();
            return message;
        });
        var ask = new LimitedAsk(actor, "defer");
        gate.awaitReached();
        var e = ask.timeIsOver();
        assertText(" on this message, a java.lang.String", e);
        assertEquals(0, e.position());
        gate.open();
    }

    @AllStrategies
    void aDeferredReplyHasBeenHandledAndAStashedMessageIsStashed(ThreadStrategy strategy) {
        ReplyActor<Object, Object> actor = actor(strategy).newActorWithReturnFrom(context -> message -> {
            if (message.equals("defer")) {
                context.deferReply();
            } else {
                context.stash();
            }
            return message;
        });
        var deferred = new LimitedAsk(actor, "defer");
        var stashed = new LimitedAsk(actor, "stash");
        Await.until("both are handled", () -> ActorCell.of(actor).isIdle());
        var e = deferred.timeIsOver();
        assertText("the message was handled, but not replied to: its handler deferred the reply PT", e);
        assertText("S ago, and it has not been given; the actor is idle", e);
        assertText("the message is stashed; the actor is idle", stashed.timeIsOver());
    }
}
