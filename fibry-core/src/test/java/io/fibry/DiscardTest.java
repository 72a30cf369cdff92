package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.InContext;
import io.fibry.testing.KernelTest;
import io.fibry.testing.UninterruptibleGate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;

/**
 * An ask that will not be answered fails at once, not only when the current handler, which may be stuck, returns. This
 * holds wherever the ask waits.
 */
class DiscardTest extends KernelTest {

    /** Releases the handler, which would otherwise remain after a failure and could not be stopped. */
    @AfterEach
    void openGate() {
        gate.open();
    }

    /** A message whose handler continues only when the test releases it, and ignores interrupts. */
    private UninterruptibleGate gate = new UninterruptibleGate();

    private ReplyActor<Object, Object> actor(ActorBuilder<Object> builder) {
        return builder.newActorWithReturnFrom(context -> message -> {
            if (message instanceof UninterruptibleGate w) {
                w.pass();
            } else if (message.equals("aside")) {
                context.stash();
            }
            return message;
        });
    }

    /** Returns when the actor has reached the gate. */
    private CompletableFuture<?> askAtGate(ReplyActor<Object, Object> actor) {
        var current = actor.ask(gate);
        gate.awaitReached();
        return current;
    }

    private static List<CompletableFuture<?>> asks(ReplyActor<Object, Object> actor, int count) {
        List<CompletableFuture<?>> asks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            asks.add(actor.ask(i));
            actor.tell(i);
        }
        return asks;
    }

    /** All asks have failed while the handler waits at the gate; the current message is answered afterwards. */
    private void assertDiscarded(
            ReplyActor<?, ?> actor, CompletableFuture<?> current, List<CompletableFuture<?>> asks, long discarded) {
        for (var ask : asks) {
            assertInstanceOf(ActorStoppedException.class, Await.failure(ask));
        }
        assertFalse(current.isDone());
        assertFalse(actor.exit().isDone());
        gate.open();
        assertEquals(gate, Await.value(current));
        assertEquals(discarded, Await.end(actor).discarded());
    }

    @AllStrategies
    void asksOfEveryMailboxFail(ThreadStrategy strategy) {
        for (StopMode mode : List.of(StopMode.DISCARD, StopMode.INTERRUPT)) {
            for (var mailbox : mailboxes()) {
                gate = new UninterruptibleGate();
                asksFail(mailbox.apply(actor(strategy)), mode);
            }
        }
    }

    private void asksFail(ActorBuilder<Object> builder, StopMode mode) {
        var actor = actor(builder);
        var current = askAtGate(actor);
        var asks = asks(actor, 100);
        actor.stop(mode);
        assertTrue(asks.stream().allMatch(CompletableFuture::isDone), "when the stop returns");
        assertDiscarded(actor, current, asks, 200);
    }

    @AllStrategies
    void asksInTheBatchThatWasTakenFail(ThreadStrategy strategy) {
        var first = new Gate();
        var actor = actor(actor(strategy));
        actor.execute(first::pass);
        first.awaitReached();
        var before = asks(actor, 10);
        var current = actor.ask(gate);
        var asks = asks(actor, 100); // the rest of the batch, and more
        first.open();
        gate.awaitReached();
        var later = asks(actor, 10);
        actor.stop(StopMode.DISCARD);
        asks.addAll(later);
        assertDiscarded(actor, current, asks, 220);
        before.forEach(Await::value);
    }

    @AllStrategies
    void asksInTheStashFail(ThreadStrategy strategy) {
        var actor = actor(actor(strategy));
        List<CompletableFuture<?>> asks = new ArrayList<>(List.of(actor.ask("aside"), actor.ask("aside")));
        var current = askAtGate(actor);
        actor.stop(StopMode.DISCARD);
        assertDiscarded(actor, current, asks, 2);
    }

    @AllStrategies
    void asksFailAfterTheDeadlineOfAClose(ThreadStrategy strategy) {
        var actor = actor(actor(strategy));
        var current = askAtGate(actor);
        var asks = asks(actor, 100);
        var closer = Thread.ofPlatform().start(() -> actor.close(Duration.ofMillis(10)));
        assertDiscarded(actor, current, asks, 200);
        Await.thread(closer);
    }

    @AllStrategies
    void asksFailWhenADrainIsMadeHarder(ThreadStrategy strategy) {
        var actor = actor(actor(strategy));
        var current = askAtGate(actor);
        var asks = asks(actor, 100);
        actor.stop();
        assertFalse(asks.stream().anyMatch(CompletableFuture::isDone));
        actor.stop(StopMode.DISCARD);
        assertDiscarded(actor, current, asks, 200);
    }

    @AllStrategies
    void asksFailWhenTheActorHasFailed(ThreadStrategy strategy) {
        var failure = new IllegalStateException("thrown on purpose");
        var actor = actor(actor(strategy));
        var current = askAtGate(actor);
        var asks = asks(actor, 3);
        var failing = InContext.actor(actor(strategy).supervision(Supervision.stop()));
        InContext.run(failing, context -> context.link(actor));
        failing.tell(context -> {
            throw failure;
        });
        for (var ask : asks) {
            assertEquals(failure, Await.failure(ask).getCause());
        }
        assertDiscarded(actor, current, asks, 6);
    }

    @AllStrategies
    void asksFailWhenTheSystemIsClosed(ThreadStrategy strategy) {
        var own = ActorSystem.create();
        var actor = actor(own.actor().strategy(strategy));
        var current = askAtGate(actor);
        var asks = asks(actor, 100);
        var closer = Thread.ofPlatform().start(() -> own.close(Duration.ofMillis(10)));
        assertDiscarded(actor, current, asks, 200);
        Await.thread(closer);
    }
}
