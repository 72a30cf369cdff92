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
import io.fibry.testing.InContext;
import io.fibry.testing.KernelTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Messages that a behavior stashes. */
class StashTest extends KernelTest {

    private final Gate gate = new Gate();
    private final List<Object> handled = Collections.synchronizedList(new ArrayList<>());
    private final List<DeadLetter> dead = Collections.synchronizedList(new ArrayList<>());

    /** Stashes numbers until the open message; a message of the other kind first waits at the gate. */
    private ReplyActor<Object, Object> door(ActorBuilder<Object> builder) {
        system.onDeadLetter(dead::add);
        var open = new boolean[1];
        return builder.newActorWithReturnFrom(context -> message -> {
            if (message.equals("wait")) {
                gate.pass();
            } else if (message.equals("open")) {
                open[0] = true;
                context.unstashAll();
            } else if (!open[0]) {
                context.stash();
                return "not an answer";
            }
            handled.add(message);
            return message;
        });
    }

    @AllStrategies
    void stashedMessagesAreHandledFirstAndInOrder(ThreadStrategy strategy) {
        for (UnaryOperator<ActorBuilder<Object>> mailbox : mailboxes()) {
            handled.clear();
            var opened = new CompletableFuture<Boolean>();
            var own = new Gate();
            Actor<Integer> actor = mailbox.apply(actor(strategy)).newActorFrom(context -> n -> {
                if (n == 4) {
                    own.pass();
                    context.unstashAll();
                    opened.complete(true);
                } else if (!opened.isDone()) {
                    context.stash();
                } else {
                    handled.add(n);
                }
            });
            for (int n = 1; n <= 4; n++) {
                actor.tell(n);
            }
            own.awaitReached();
            for (int n = 5; n <= 200; n++) {
                actor.tell(n);
            }
            own.open();
            actor.close();
            List<Integer> expected = new ArrayList<>(List.of(1, 2, 3));
            for (int n = 5; n <= 200; n++) {
                expected.add(n);
            }
            assertEquals(expected, handled);
            assertEquals(200, Await.end(actor).handled());
        }
    }

    @AllStrategies(direct = true)
    void messagesStashedAgainKeepTheirOrder(ThreadStrategy strategy) {
        Actor<Integer> actor = actor(strategy).newActorFrom(context -> n -> {
            handled.add(n);
            if (n == 0) {
                context.unstashAll();
            } else if (Collections.frequency(handled, n) < 3) {
                context.stash();
            }
        });
        for (int n : new int[] {1, 2, 3, 0, 0}) {
            actor.tell(n);
        }
        actor.close();
        assertEquals(List.of(1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3), handled);
        assertEquals(5, Await.end(actor).handled());
    }

    @AllStrategies(direct = true)
    void stashedAsksAreAnsweredLater(ThreadStrategy strategy) {
        var actor = door(actor(strategy));
        var first = actor.ask(1);
        actor.execute(() -> handled.add("task"));
        var second = actor.ask(2);
        Await.value(actor.ask("open"));
        assertEquals(1, Await.value(first));
        assertEquals(2, Await.value(second));
        assertEquals(List.of("task", "open", 1, 2), handled);
    }

    @AllStrategies(direct = true)
    void aMessageBeyondTheStashLimitFails(ThreadStrategy strategy) {
        var actor = door(actor(strategy).stashLimit(2));
        var first = actor.ask(1);
        actor.tell(2);
        Throwable failure = Await.failure(actor.ask(3));
        assertInstanceOf(MailboxFullException.class, failure);
        assertTrue(
                failure.getMessage().contains(actor.name())
                        && failure.getMessage().contains("2"),
                failure::getMessage);
        Await.value(actor.ask("open"));
        assertEquals(1, Await.value(first));
        actor.close();
        assertEquals(List.of("open", 1, 2), handled);
        assertEquals(4, Await.end(actor).handled());
        assertEquals(1, Await.end(actor).failed());
    }

    @AllStrategies(direct = true)
    void stashedMessagesAtTheEndAreDeadLetters(ThreadStrategy strategy) {
        var actor = door(actor(strategy));
        actor.tell(1);
        var asked = actor.ask(2);
        actor.close();
        assertInstanceOf(ActorStoppedException.class, Await.failure(asked));
        assertEquals(List.of(1, 2), dead.stream().map(DeadLetter::message).toList());
        for (DeadLetter letter : dead) {
            assertSame(actor, letter.actor());
            assertEquals(DeadLetter.Reason.STASHED, letter.reason());
        }
        ActorExit exit = Await.end(actor);
        assertEquals(2, exit.discarded());
        assertEquals(0, exit.handled());
    }

    @AllStrategies
    void aDiscardingStopFailsAsksAtOnce(ThreadStrategy strategy) {
        var actor = door(actor(strategy));
        var asked = actor.ask(1);
        var inWork = actor.ask("wait");
        gate.awaitReached();
        assertFalse(asked.isDone());
        actor.stop(StopMode.DISCARD);
        assertInstanceOf(ActorStoppedException.class, Await.failure(asked)); // while the handler runs
        assertFalse(inWork.isDone());
        gate.open();
        assertEquals("wait", Await.value(inWork));
        assertEquals(1, Await.end(actor).discarded());
    }

    /** As documented: the reply of a stashed ask is deferred until its message is handled again. */
    @AllStrategies(direct = true)
    void anExceptionAfterTheStashDoesNotFailTheAsk(ThreadStrategy strategy) {
        for (Supervision supervision : List.of(Supervision.resume(), Supervision.restart())) {
            handled.clear();
            ReplyActor<Integer, Integer> actor = actor(strategy)
                    .supervision(supervision)
                    .newActorWithReturnFrom(context -> n -> {
                        handled.add(n);
                        if (handled.size() == 1) {
                            context.stash();
                            context.unstashAll();
                            throw new IllegalStateException("thrown on purpose");
                        }
                        return n;
                    });
            assertEquals(1, Await.value(actor.ask(1)));
            actor.close();
            assertEquals(List.of(1, 1), handled);
            assertEquals(1, Await.end(actor).failed());
            assertEquals(1, Await.end(actor).handled());
        }
    }

    @AllStrategies(direct = true)
    void aRestartUnstashesTheMessages(ThreadStrategy strategy) {
        ReplyActor<Integer, Integer> actor = actor(strategy)
                .supervision(Supervision.restart())
                .newActorWithReturnFrom(context -> {
                    boolean first = handled.isEmpty();
                    return n -> {
                        handled.add(n);
                        if (n == 0) {
                            throw new IllegalStateException("thrown on purpose");
                        }
                        if (first) {
                            context.stash();
                        }
                        return n;
                    };
                });
        var one = actor.ask(1);
        var two = actor.ask(2);
        assertInstanceOf(IllegalStateException.class, Await.failure(actor.ask(0)));
        assertEquals(1, Await.value(one));
        assertEquals(2, Await.value(two));
        assertEquals(List.of(1, 2, 0, 1, 2), handled);
    }

    @Test
    void callsOutsideOfTheBehaviorAndRepeatedCallsAreRefused() {
        var target = system.actor().newSink(null);
        var actor = InContext.actor(system.actor());
        InContext.run(actor, context -> {
            if (handled.isEmpty()) {
                handled.add("once");
                context.stash();
                assertThrows(IllegalStateException.class, context::stash);
                context.unstashAll();
            }
        });
        var context = InContext.of(actor);
        assertThrows(IllegalStateException.class, context::stash);
        assertThrows(IllegalStateException.class, context::unstashAll);
        var refused = new CompletableFuture<Exception>();
        InContext.run(
                actor,
                c -> c.watch(target, exit -> {
                    refused.complete(assertThrows(IllegalStateException.class, c::stash));
                }));
        target.stop();
        assertTrue(Await.value(refused).getMessage().contains("only messages can be stashed"));
        assertThrows(IllegalArgumentException.class, () -> system.actor().stashLimit(0));
        assertThrows(
                IllegalStateException.class,
                () -> system.actor().<Integer>newActorFrom(c -> {
                    c.stash();
                    return n -> {};
                }));
    }
}
