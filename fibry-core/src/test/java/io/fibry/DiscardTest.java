package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;

/**
 * An ask that will not be answered fails at once, and not only when the handler at work, which may be stuck, is done; wherever the
 * ask waits.
 */
class DiscardTest extends KernelTest {

    /** Or a failure would leave a handler behind that nobody can stop. */
    @AfterEach
    void openTheWall() {
        wall.open();
    }

    /** A message whose handler goes on only when the test says so, and hears no interrupt. */
    private Deaf wall = new Deaf();

    private ReplyActor<Object, Object> actor(ActorBuilder<Object> builder) {
        return builder.newActorWithReturnFrom(context -> message -> {
            if (message instanceof Deaf w) {
                w.standHere();
            } else if (message.equals("aside")) {
                context.stash();
            }
            return message;
        });
    }

    /** Returns when the actor stands at the wall. */
    private CompletableFuture<?> askAtTheWall(ReplyActor<Object, Object> actor) {
        var atWork = actor.ask(wall);
        wall.awaitReached();
        return atWork;
    }

    private static List<CompletableFuture<?>> asks(ReplyActor<Object, Object> actor, int count) {
        List<CompletableFuture<?>> asks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            asks.add(actor.ask(i));
            actor.tell(i);
        }
        return asks;
    }

    /** All have failed while the handler stands at the wall; what is at work is answered behind it. */
    private void assertDiscarded(
            ReplyActor<?, ?> actor, CompletableFuture<?> atWork, List<CompletableFuture<?>> asks, long discarded) {
        for (var ask : asks) {
            assertInstanceOf(ActorStoppedException.class, Await.failure(ask));
        }
        assertFalse(atWork.isDone());
        assertFalse(actor.exit().isDone());
        wall.open();
        assertEquals(wall, Await.value(atWork));
        assertEquals(discarded, Await.end(actor).discarded());
    }

    @AllStrategies
    void asksOfEveryMailboxFail(ThreadStrategy strategy) {
        for (StopMode mode : List.of(StopMode.DISCARD, StopMode.INTERRUPT)) {
            for (var mailbox : mailboxes()) {
                wall = new Deaf();
                asksFail(mailbox.apply(actor(strategy)), mode);
            }
        }
    }

    private void asksFail(ActorBuilder<Object> builder, StopMode mode) {
        var actor = actor(builder);
        var atWork = askAtTheWall(actor);
        var asks = asks(actor, 100);
        actor.stop(mode);
        assertTrue(asks.stream().allMatch(CompletableFuture::isDone), "when the stop returns");
        assertDiscarded(actor, atWork, asks, 200);
    }

    @AllStrategies
    void asksInTheBatchThatWasTakenFail(ThreadStrategy strategy) {
        var first = new Gate();
        var actor = actor(actor(strategy));
        actor.execute(first::pass);
        first.awaitReached();
        var before = asks(actor, 10);
        var atWork = actor.ask(wall);
        var asks = asks(actor, 100); // the rest of the batch, and more
        first.open();
        wall.awaitReached();
        var later = asks(actor, 10);
        actor.stop(StopMode.DISCARD);
        asks.addAll(later);
        assertDiscarded(actor, atWork, asks, 220);
        before.forEach(Await::value);
    }

    @AllStrategies
    void asksInTheStashFail(ThreadStrategy strategy) {
        var actor = actor(actor(strategy));
        List<CompletableFuture<?>> asks = new ArrayList<>(List.of(actor.ask("aside"), actor.ask("aside")));
        var atWork = askAtTheWall(actor);
        actor.stop(StopMode.DISCARD);
        assertDiscarded(actor, atWork, asks, 2);
    }

    @AllStrategies
    void asksFailAfterTheDeadlineOfAClose(ThreadStrategy strategy) {
        var actor = actor(actor(strategy));
        var atWork = askAtTheWall(actor);
        var asks = asks(actor, 100);
        var closer = Thread.ofPlatform().start(() -> actor.close(Duration.ofMillis(10)));
        assertDiscarded(actor, atWork, asks, 200);
        Await.thread(closer);
    }

    @AllStrategies
    void asksFailWhenADrainIsMadeHarder(ThreadStrategy strategy) {
        var actor = actor(actor(strategy));
        var atWork = askAtTheWall(actor);
        var asks = asks(actor, 100);
        actor.stop();
        assertFalse(asks.stream().anyMatch(CompletableFuture::isDone));
        actor.stop(StopMode.DISCARD);
        assertDiscarded(actor, atWork, asks, 200);
    }

    @AllStrategies
    void asksFailWhenTheActorHasFailed(ThreadStrategy strategy) {
        var failure = new IllegalStateException("thrown on purpose");
        var actor = actor(actor(strategy));
        var atWork = askAtTheWall(actor);
        var asks = asks(actor, 3);
        var failing = InContext.actor(actor(strategy).supervision(Supervision.stop()));
        InContext.run(failing, context -> context.link(actor));
        failing.tell(context -> {
            throw failure;
        });
        for (var ask : asks) {
            assertEquals(failure, Await.failure(ask).getCause());
        }
        assertDiscarded(actor, atWork, asks, 6);
    }

    @AllStrategies
    void asksFailWhenTheSystemIsClosed(ThreadStrategy strategy) {
        var own = ActorSystem.create();
        var actor = actor(own.actor().strategy(strategy));
        var atWork = askAtTheWall(actor);
        var asks = asks(actor, 100);
        var closer = Thread.ofPlatform().start(() -> own.close(Duration.ofMillis(10)));
        assertDiscarded(actor, atWork, asks, 200);
        Await.thread(closer);
    }
}
