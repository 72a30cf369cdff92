package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorStoppedException;
import io.fibry.Overflow;
import io.fibry.ReplyActor;
import io.fibry.ReplyTo;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * Every ask that an actor has accepted ends with its system, whatever the idle actor holds, and although nothing refers
 * to it.
 */
class HeldAtCloseTest extends KernelTest {

    private static final Duration TIME = Duration.ofSeconds(20);

    private final List<Object> dead = new CopyOnWriteArrayList<>();

    private boolean isKnown(Actor<?> actor) {
        return !((LocalSystem) system)
                .registry()
                .roots(ActorCell.of(actor)::equals)
                .isEmpty();
    }

    private void assertEndsAtClose(Actor<?> holder, CompletableFuture<?> ask) {
        Await.until("the actor is idle", () -> ActorCell.of(holder).isIdle());
        assertTrue(system.close(TIME));
        assertInstanceOf(ActorStoppedException.class, Await.failure(ask));
        assertTrue(holder.exit().isDone());
    }

    @AllStrategies(direct = true)
    void anAskWhoseReplyIsDeferredFails(ThreadStrategy strategy) {
        ReplyActor<String, String> holder = actor(strategy).newActorWithReturnFrom(context -> message -> {
            context.deferReply();
            return "";
        });
        assertEndsAtClose(holder, holder.ask("deferred"));
    }

    @AllStrategies(direct = true)
    void anAskWhoseMessageCarriesItsReplyFails(ThreadStrategy strategy) {
        Actor<ReplyTo<String>> holder = actor(strategy).newActor(replyTo -> {});
        assertEndsAtClose(holder, holder.<String>ask(replyTo -> replyTo, Duration.ofDays(1)));
    }

    @AllStrategies(direct = true)
    void aStashedAskFailsAndAStashedMessageIsADeadLetter(ThreadStrategy strategy) {
        system.onDeadLetter(letter -> dead.add(letter.message()));
        ReplyActor<String, String> holder = actor(strategy).newActorWithReturnFrom(context -> message -> {
            context.stash();
            return "";
        });
        holder.tell("told");
        assertEndsAtClose(holder, holder.ask("asked"));
        assertEquals(List.of("told", "asked"), dead);
    }

    @AllStrategies(direct = true)
    void anAskInAHeldMailboxIsAnswered(ThreadStrategy strategy) {
        ReplyActor<String, String> holder = actor(strategy)
                .bounded(10, Overflow.FAIL)
                .newActorWithReturnFrom(context -> message -> {
                    if (message.equals("hold")) {
                        Holding.hold(context);
                    }
                    return message;
                });
        Await.value(holder.ask("hold"));
        CompletableFuture<String> ask = holder.ask("held");
        Await.until("the actor is idle", () -> ActorCell.of(holder).isIdle());
        assertTrue(system.close(TIME));
        assertEquals("held", Await.value(ask)); // a drain releases the mailbox
    }

    /** The next ask may be handled before the deadline, which is at once, discards it. */
    @AllStrategies
    void anAskInAReceiveIsAnsweredAndTheNextOneEnds(ThreadStrategy strategy) {
        var receives = new CountDownLatch(1);
        ReplyActor<String, String> receiver = actor(strategy).newActorWithReturnFrom(context -> message -> {
            receives.countDown();
            return context.receive("never"::equals, Duration.ofDays(1)).orElse("stopped");
        });
        CompletableFuture<String> running = receiver.ask("first");
        Await.latch(receives);
        CompletableFuture<String> behind = receiver.ask("second");
        system.close(Duration.ZERO);
        assertEquals("stopped", Await.value(running));
        Await.until("the next ask ends", behind::isDone);
        if (behind.isCompletedExceptionally()) {
            assertInstanceOf(ActorStoppedException.class, Await.failure(behind));
        } else {
            assertEquals("stopped", behind.join());
        }
    }

    @AllStrategies
    void anAskWhoseStageIsOpenIsAnswered(ThreadStrategy strategy) {
        var stage = new CompletableFuture<String>();
        Actor<Object> piping = actor(strategy).newActorFrom(context -> message -> {
            if (message instanceof ReplyTo<?> replyTo) {
                context.pipeToSelf(stage, (value, failure) -> (Runnable) () -> replyAny(replyTo, value));
            } else {
                ((Runnable) message).run();
            }
        });
        CompletableFuture<String> piped = piping.ask(replyTo -> replyTo, Duration.ofDays(1));
        var closed = CompletableFuture.supplyAsync(() -> system.close(TIME), Thread::startVirtualThread);
        Await.until("the system closes", system::isClosing);
        stage.complete("value");
        assertEquals("value", Await.value(piped));
        assertTrue(Await.value(closed));
    }

    @SuppressWarnings("unchecked")
    private static void replyAny(ReplyTo<?> replyTo, Object value) {
        ((ReplyTo<Object>) replyTo).reply(value);
    }

    /** The actor is garbage when nothing refers to it. */
    @Test
    void theSystemRefersToAnActorOnlyWhileItHoldsMessages() {
        var reply = new CompletableFuture<ReplyTo<String>>();
        ReplyActor<String, String> actor = system.actor()
                .bounded(10, Overflow.FAIL)
                .newActorWithReturnFrom(context -> message -> {
                    switch (message) {
                        case "defer" -> reply.complete(context.deferReply());
                        case "hold" -> {
                            Holding.hold(context);
                            context.after(Duration.ofDays(1), "release").cancel();
                        }
                        case "unstash" -> context.unstashAll();
                        case "stash" -> {
                            if (!isKnown(context.self())) {
                                context.stash();
                            }
                        }
                        default -> {}
                    }
                    return message;
                });
        Await.value(actor.ask("first"));
        assertFalse(isKnown(actor));

        CompletableFuture<String> deferred = actor.ask("defer");
        ReplyTo<String> replyTo = Await.value(reply);
        assertTrue(isKnown(actor));
        replyTo.reply("answer");
        assertEquals("answer", Await.value(deferred));
        assertFalse(isKnown(actor));

        CompletableFuture<String> stashed = actor.ask("stash");
        Await.value(actor.ask("second"));
        assertTrue(isKnown(actor));
        assertFalse(stashed.isDone());
        assertTrue(stashed.cancel(false));
        Await.value(actor.ask("unstash"));
        Await.value(actor.ask("third"));
        assertFalse(isKnown(actor));

        Await.value(actor.ask("hold"));
        assertTrue(isKnown(actor)); // also after the end of a timer
        CompletableFuture<String> held = actor.ask("held");
        actor.stop();
        assertEquals("held", Await.value(held));
        Await.end(actor);
        assertFalse(isKnown(actor));
    }
}
