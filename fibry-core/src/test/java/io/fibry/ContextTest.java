package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.kernel.ActorStates;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.TextContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The context of the sender is the context of the handler.
 *
 * <p>Seen to fail: without the attachment, without restoring the thread's own context, with a second capture for the
 * reply, without the attachment for dead letters, and with a carrier whose exceptions are propagated.
 */
class ContextTest extends KernelTest {

    private final TextContext carrier = new TextContext();
    private final ActorSystem carrying =
            ActorSystem.create(SystemOptions.defaults().context(carrier));
    private final LinkedBlockingQueue<String> seen = new LinkedBlockingQueue<>();

    @AfterEach
    void closeCarryingSystem() {
        carrying.close();
    }

    private void see() {
        seen.add(String.valueOf(TextContext.get()));
    }

    private String next() throws InterruptedException {
        return String.valueOf(seen.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
    }

    @AllStrategies
    void everyKindOfMessageCarriesTheContextOfItsSender(ThreadStrategy strategy) throws Exception {
        var actor = carrying.actor().strategy(strategy).newActorWithReturn((Integer n) -> {
            see();
            return n;
        });
        var sink = carrying.actor().strategy(strategy).newSink("state");
        TextContext.with("a", () -> actor.tell(1));
        assertEquals("a", next());
        TextContext.with("b", () -> actor.tryTell(1));
        assertEquals("b", next());
        TextContext.with("c", () -> Await.value(actor.ask(1)));
        assertEquals("c", next());
        TextContext.with("d", () -> Await.value(actor.ask(1, Await.LIMIT)));
        assertEquals("d", next());
        TextContext.with("e", () -> actor.execute(this::see));
        assertEquals("e", next());
        TextContext.with("f", () -> sink.execute(state -> see()));
        assertEquals("f", next());
        TextContext.with("g", () -> assertEquals("g", Await.value(sink.ask(state -> TextContext.get()))));
        TextContext.with("h", () -> carrying.actor().strategy(strategy).runOnce(this::see));
        assertEquals("h", next());
        actor.tell(1);
        assertEquals("null", next());
        assertEquals(9, carrier.captures.get());
    }

    @AllStrategies
    void changesOfAHandlerAreRevertedAfterTheMessage(ThreadStrategy strategy) throws Exception {
        var actor = carrying.actor().strategy(strategy).newActor((String text) -> {
            see();
            TextContext.set(text);
            see();
        });
        TextContext.with("sender", () -> {
            actor.tell("x");
            actor.tell("y");
        });
        actor.tell("z");
        for (String expected : List.of("sender", "x", "sender", "y", "null", "z")) {
            assertEquals(expected, next());
        }
    }

    /** An executor that runs the actor on the sender's thread. */
    @Test
    void theThreadOfAnExecutorKeepsItsOwnContext() throws Exception {
        Executor direct = Runnable::run;
        var actor =
                carrying.actor().strategy(ThreadStrategy.pool(direct)).newActor((String text) -> TextContext.set(text));
        TextContext.with("mine", () -> {
            actor.tell("x");
            assertEquals("mine", TextContext.get());
        });
    }

    @AllStrategies
    void messagesOfAHandlerCarryItsContext(ThreadStrategy strategy) throws Exception {
        var last = carrying.actor().strategy(strategy).newActor((Integer n) -> see());
        var first = carrying.actor().strategy(strategy).newActor((Integer n) -> {
            last.tell(n);
            TextContext.set("changed");
            last.tell(n);
        });
        TextContext.with("first", () -> first.tell(1));
        assertEquals("first", next());
        assertEquals("changed", next());
    }

    /** The asked actor runs on the stack of the asking one, if possible. */
    @AllStrategies
    void anAskerHasItsContextBackAfterTheReply(ThreadStrategy strategy) throws Exception {
        var asked = carrying.actor().strategy(strategy).newActorWithReturn((Integer n) -> {
            String before = TextContext.get();
            TextContext.set("asked");
            return before;
        });
        var asker = carrying.actor().strategy(strategy).newActorWithReturn((Integer n) -> {
            TextContext.set("asker");
            return asked.call(n) + " " + TextContext.get();
        });
        TextContext.with("sender", () -> assertEquals("asker asker", Await.value(asker.ask(1))));
    }

    @Test
    void theContextIsCapturedBeforeAWaitForRoom() throws Exception {
        var gate = new Gate();
        var actor = carrying.actor().bounded(1, Overflow.BLOCK).newActor((Integer n) -> {
            gate.pass();
            see();
        });
        TextContext.with("work", () -> actor.tell(1));
        gate.awaitReached();
        TextContext.with("waits", () -> actor.tell(2));
        var blocked = new CompletableFuture<Thread>();
        var sender = Thread.ofVirtual().start(() -> {
            TextContext.set("blocked");
            blocked.complete(Thread.currentThread());
            actor.tell(3);
        });
        Await.value(blocked);
        Await.until("it waits", () -> sender.getState() == Thread.State.WAITING);
        assertEquals(3, carrier.captures.get());
        gate.open();
        Await.thread(sender);
        assertEquals(List.of("work", "waits", "blocked"), List.of(next(), next(), next()));
        assertEquals(3, carrier.captures.get());
    }

    @Test
    void aMessageKeepsItsContextUntilItsActorExists() throws Exception {
        Actor<Integer> expected = carrying.findOrExpect("late", 10);
        TextContext.with("early", () -> {
            expected.tell(1);
            expected.execute(this::see);
        });
        carrying.actor("late").newActor((Integer n) -> see());
        assertEquals(List.of("early", "early"), List.of(next(), next()));
    }

    @Test
    void aFactoryRunsInTheContextOfItsCallerAndAfterARestartWithoutOne() throws Exception {
        List<String> factories = Collections.synchronizedList(new ArrayList<>());
        var child = new AtomicReference<@Nullable Actor<Integer>>();
        Actor<Integer> parent = carrying.actor()
                .newActorFrom(context -> n -> child.set(
                        context.spawn().supervision(Supervision.restart()).newActorFrom(own -> {
                            factories.add(String.valueOf(TextContext.get()));
                            return m -> {
                                throw new IllegalStateException("meant to fail");
                            };
                        })));
        TextContext.with("parent", () -> parent.tell(1));
        Await.until("the child is made", () -> child.get() != null);
        TextContext.with("fails", () -> Objects.requireNonNull(child.get()).tell(1));
        Await.until("the child is restarted", () -> factories.size() == 2);
        assertEquals(List.of("parent", "null"), factories);
    }

    /** The log line requests the name of the actor. */
    @Test
    void aFailureIsLoggedInTheContextOfItsMessage() throws Exception {
        var label = new Object() {
            @Override
            public String toString() {
                see();
                return "labelled";
            }
        };
        var actor = carrying.actor().label(label).newActor((Integer n) -> {
            throw new IllegalStateException("meant to fail");
        });
        TextContext.with("failing", () -> actor.tell(1));
        assertEquals("failing", next());
    }

    @Test
    void deadLettersAreReportedInTheContextOfTheirMessage() throws Exception {
        var gate = new Gate();
        carrying.onDeadLetter(letter -> see());
        var actor = carrying.actor().newActor((Integer n) -> gate.pass());
        actor.tell(1);
        gate.awaitReached();
        TextContext.with("lost", () -> actor.tell(2));
        Actor<Integer> nobody = carrying.findOrExpect("nobody", 10);
        TextContext.with("unheard", () -> nobody.tell(1));
        nobody.stop();
        assertEquals("unheard", next());
        var closer = Thread.ofVirtual().start(() -> carrying.close(Duration.ZERO));
        ActorStates.awaitStopped(actor, StopMode.DISCARD);
        gate.open();
        Await.thread(closer);
        assertEquals("lost", next());
        assertThrows(ActorStoppedException.class, () -> TextContext.with("late", () -> actor.tell(3)));
        assertNull(TextContext.get());
    }

    @Test
    void anExceptionOfTheCarrierAffectsNoMessage() throws Exception {
        List<ContextCarrier> broken = List.of(
                () -> {
                    throw new IllegalStateException("meant to fail at capture");
                },
                () -> () -> {
                    throw new IllegalStateException("meant to fail at attach");
                },
                () -> () -> () -> {
                    throw new IllegalStateException("meant to fail at close");
                });
        for (ContextCarrier each : broken) {
            try (var other = ActorSystem.create(SystemOptions.defaults().context(each))) {
                var actor = other.actor().newActorWithReturn((Integer n) -> n + 1);
                for (int i = 0; i < 100; i++) {
                    assertEquals(i + 1, Await.value(actor.ask(i)));
                }
            }
        }
    }

    @Test
    void twoCarriersAreCarriedTogether() throws Exception {
        var other = new ThreadLocal<@Nullable String>();
        ContextCarrier second = () -> {
            String text = other.get();
            return () -> {
                other.set(text);
                return other::remove;
            };
        };
        try (var both = ActorSystem.create(SystemOptions.defaults().context(carrier.and(second)))) {
            var actor = both.actor().newActorWithReturn((Integer n) -> TextContext.get() + " " + other.get());
            other.set("two");
            TextContext.with("one", () -> assertEquals("one two", Await.value(actor.ask(1))));
            other.remove();
            assertEquals("null null", Await.value(actor.ask(1)));
        }
    }

    /** Between two systems, the carrier of the handling system is used. */
    @Test
    void aSystemWithoutACarrierCarriesNothing() throws Exception {
        var actor = system.actor().newActorWithReturn((Integer n) -> String.valueOf(TextContext.get()));
        TextContext.with("sender", () -> assertEquals("null", Await.value(actor.ask(1))));
        assertEquals(0, carrier.captures.get());
        assertTrue(seen.isEmpty());
    }
}
