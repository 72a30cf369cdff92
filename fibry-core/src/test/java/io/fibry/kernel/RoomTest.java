package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorStoppedException;
import io.fibry.ForwardingActor;
import io.fibry.Overflow;
import io.fibry.StopMode;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Room in a full mailbox, as a future.
 *
 * <p>Seen to fail: a room that completes one future only, or continues when it is full; a stop that forgets the
 * futures; cancelled futures that are never removed; a consumer that reports room after a stop.
 */
class RoomTest extends KernelTest {

    private static final List<UnaryOperator<ActorBuilder<Object>>> WAITABLE = List.of(
            builder -> builder.bounded(1, Overflow.FAIL),
            builder -> builder.bounded(1, Overflow.BLOCK),
            builder -> builder.priority(Comparator.comparing(Object::toString)).bounded(1, Overflow.FAIL));

    private Gate gate = new Gate();
    private final List<Integer> handled = Collections.synchronizedList(new ArrayList<>());

    private Actor<Integer> actor(ActorBuilder<Object> builder) {
        Gate itsOwn = gate; // a test may have several in sequence
        return builder.newActor((Integer n) -> {
            itsOwn.pass();
            handled.add(n);
        });
    }

    /** Handles the message 0, and has 1 in a mailbox with one place. */
    private Actor<Integer> full(ActorBuilder<Object> builder) {
        gate = new Gate();
        handled.clear();
        Actor<Integer> actor = actor(builder);
        actor.tell(0);
        gate.awaitReached();
        assertTrue(actor.tryTell(1));
        return actor;
    }

    @AllStrategies
    void thereIsRoomAtOnce(ThreadStrategy strategy) {
        List<UnaryOperator<ActorBuilder<Object>>> others = List.of(
                builder -> builder,
                builder -> builder.priority(Comparator.comparing(Object::toString)),
                builder -> builder.bounded(2, Overflow.FAIL),
                builder -> builder.bounded(1, Overflow.DROP_NEWEST),
                builder -> builder.bounded(1, Overflow.DROP_OLDEST));
        for (UnaryOperator<ActorBuilder<Object>> mailbox : others) {
            Actor<Integer> actor = full(mailbox.apply(actor(strategy)));
            assertEquals(CompletableFuture.State.SUCCESS, actor.whenWritable().state());
            gate.open();
        }
    }

    @AllStrategies
    void aFutureCompletesWhenAMessageIsTaken(ThreadStrategy strategy) {
        for (UnaryOperator<ActorBuilder<Object>> mailbox : WAITABLE) {
            Actor<Integer> actor = full(mailbox.apply(actor(strategy)));
            CompletableFuture<@Nullable Void> room = actor.whenWritable();
            assertFalse(room.isDone());
            assertFalse(actor.tryTell(2));
            CompletableFuture<Boolean> accepted = room.thenApply(nothing -> actor.tryTell(3));
            gate.open();
            assertTrue(Await.value(accepted));
            assertTrue(actor.close(Await.LIMIT));
            assertEquals(List.of(0, 1, 3), handled);
        }
    }

    @AllStrategies
    void aStopFailsIt(ThreadStrategy strategy) {
        for (UnaryOperator<ActorBuilder<Object>> mailbox : WAITABLE) {
            for (StopMode mode : StopMode.values()) {
                Actor<Integer> actor = full(mailbox.apply(actor(strategy)));
                CompletableFuture<@Nullable Void> room = actor.whenWritable();
                actor.stop(mode);
                assertInstanceOf(ActorStoppedException.class, room.exceptionNow());
                assertInstanceOf(
                        ActorStoppedException.class, actor.whenWritable().exceptionNow());
                gate.open();
                Await.end(actor);
                assertInstanceOf(
                        ActorStoppedException.class, actor.whenWritable().exceptionNow());
            }
        }
        Actor<Integer> unlimited = actor(strategy).newActor((Integer n) -> {});
        unlimited.stop();
        assertInstanceOf(ActorStoppedException.class, unlimited.whenWritable().exceptionNow());
    }

    /** Neither a cancelled nor an unused future delays the other senders, although there is only one place. */
    @AllStrategies
    void unusedRoomIsLeftToOtherSenders(ThreadStrategy strategy) {
        Actor<Integer> actor = full(WAITABLE.getFirst().apply(actor(strategy)));
        CompletableFuture<@Nullable Void> givenUp = actor.whenWritable();
        CompletableFuture<@Nullable Void> unused = actor.whenWritable();
        CompletableFuture<Boolean> failing = actor.whenWritable().thenApply(nothing -> {
            throw new IllegalStateException("thrown on purpose");
        });
        CompletableFuture<Boolean> used = actor.whenWritable().thenApply(nothing -> actor.tryTell(2));
        givenUp.cancel(false);
        gate.open();
        assertTrue(Await.value(used));
        assertTrue(unused.isDone());
        assertInstanceOf(IllegalStateException.class, Await.failure(failing));
    }

    /** A sender that asks again after it has got a place is behind the others, so every sender gets a turn. */
    @AllStrategies
    void sendersThatUseTheRoomAtOnceTakeTurns(ThreadStrategy strategy) {
        Actor<Integer> actor = full(WAITABLE.getFirst().apply(actor(strategy)));
        List<Sender> senders =
                Stream.of(10, 20, 30).map(first -> new Sender(actor, first)).toList();
        senders.forEach(Sender::go);
        gate.open();
        senders.forEach(sender -> Await.value(sender.done));
        assertTrue(actor.close(Await.LIMIT));
        assertEquals(List.of(0, 1, 10, 20, 30, 11, 21, 31, 12, 22, 32), handled);
    }

    /** Sends three numbers without a thread of its own. */
    private static final class Sender {
        private final Actor<Integer> actor;
        private final int last;
        private final CompletableFuture<Boolean> done = new CompletableFuture<>();
        private int next;

        Sender(Actor<Integer> actor, int first) {
            this.actor = actor;
            next = first;
            last = first + 2;
        }

        void go() {
            while (next <= last) {
                if (!actor.tryTell(next)) {
                    var unused = actor.whenWritable().thenRun(this::go);
                    return;
                }
                next++;
            }
            done.complete(true);
        }
    }

    @AllStrategies
    void aSelectiveReceiveMakesRoomToo(ThreadStrategy strategy) {
        var taken = new CompletableFuture<Optional<String>>();
        Actor<String> actor = actor(strategy).bounded(1, Overflow.FAIL).<String>newActorFrom(context -> message -> {
            gate.pass();
            if (message.equals("first")) {
                taken.complete(context.receive(m -> m.equals("wanted"), Await.LIMIT));
            }
        });
        actor.tell("first");
        gate.awaitReached();
        actor.tell("wanted");
        CompletableFuture<Boolean> accepted = actor.whenWritable().thenApply(nothing -> actor.tryTell("next"));
        gate.open();
        assertEquals(Optional.of("wanted"), Await.value(taken));
        assertTrue(Await.value(accepted));
    }

    @Test
    void cancelledFuturesAreRemoved() {
        Actor<Integer> actor = full(WAITABLE.getFirst().apply(system.actor()));
        CompletableFuture<@Nullable Void> patient = actor.whenWritable();
        for (int i = 0; i < 10_000; i++) {
            assertTrue(actor.whenWritable().cancel(false));
        }
        BoundedMailbox room = ActorCell.of(actor).boundedMailbox();
        assertNotNull(room);
        RoomFutures futures = room.futures();
        assertNotNull(futures);
        assertTrue(futures.size() <= 200, () -> "futures: " + futures.size());
        gate.open();
        Await.value(patient.thenApply(nothing -> true));
    }

    /** Each caller has its own future, so completing one affects no other caller. */
    @Test
    void eachCallerHasItsOwnFuture() throws Exception {
        Actor<Integer> actor = full(WAITABLE.getFirst().apply(system.actor()));
        CompletableFuture<@Nullable Void> other = actor.whenWritable();
        actor.whenWritable()
                .orTimeout(1, TimeUnit.MILLISECONDS)
                .handle((nothing, late) -> true)
                .get();
        actor.whenWritable().complete(null);
        assertFalse(other.isDone());
        gate.open();
        Await.value(other.thenApply(nothing -> true));
    }

    // ---- other handles

    @Test
    void aHandleReturnsTheRoomOfItsActor() {
        Actor<Integer> actor = full(WAITABLE.getFirst().apply(system.actor()));
        var handle = new ForwardingActor<>(actor) {};
        CompletableFuture<@Nullable Void> room = handle.whenWritable();
        assertFalse(room.isDone());
        actor.stop();
        assertInstanceOf(ActorStoppedException.class, room.exceptionNow());
        gate.open();
    }

    @Test
    void anAddressHasRoomWhenItsActorStarts() {
        Actor<Integer> address = system.findOrExpect("clerk", 1);
        assertTrue(address.whenWritable().isDone());
        address.tell(0);
        CompletableFuture<@Nullable Void> room = address.whenWritable();
        assertFalse(room.isDone());
        Actor<Integer> actor = actor(system.actor("clerk").bounded(1, Overflow.FAIL));
        assertEquals(CompletableFuture.State.SUCCESS, room.state());
        gate.awaitReached();
        actor.tell(1);
        CompletableFuture<@Nullable Void> next = address.whenWritable(); // now that of the actor
        assertFalse(next.isDone());
        gate.open();
        Await.value(next.thenApply(nothing -> true));
    }

    @Test
    void aStoppedAddressHasNoRoom() {
        Actor<Integer> address = system.findOrExpect("clerk", 1);
        address.tell(0);
        CompletableFuture<@Nullable Void> room = address.whenWritable();
        address.close(Duration.ZERO);
        assertInstanceOf(ActorStoppedException.class, room.exceptionNow());
        assertInstanceOf(ActorStoppedException.class, address.whenWritable().exceptionNow());
    }
}
