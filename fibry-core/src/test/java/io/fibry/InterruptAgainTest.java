package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.UninterruptibleGate;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/**
 * A handler that has swallowed an interrupt is interrupted again by the next call that asks for it, and by no other.
 *
 * <p>Seen to fail: a second stop that returns early; a second interrupt for the actor and not for its children; a close
 * that interrupts twice because an actor is both registered and running, or because its parent is stopped too; a second
 * close that does not wait.
 */
class InterruptAgainTest extends KernelTest {

    /** A handler that swallows one interrupt, and then waits at a gate. */
    private static final class Stubborn {
        final Gate first = new Gate();
        final Gate second = new Gate();

        void handle(int unused) {
            try {
                first.pass();
            } catch (ActorInterruptedException e) {
                second.pass();
            }
        }

        Actor<Integer> on(ActorBuilder<Object> builder) {
            Actor<Integer> actor = builder.newActor(this::handle);
            actor.tell(1);
            first.awaitReached();
            return actor;
        }
    }

    private final Stubborn stubborn = new Stubborn();

    @AllStrategies
    void aSecondStopInterruptsAgain(ThreadStrategy strategy) {
        var actor = stubborn.on(actor(strategy));
        actor.stop(StopMode.INTERRUPT);
        stubborn.second.awaitReached();
        actor.stop(StopMode.DISCARD); // a softer stop does not interrupt
        actor.stop(StopMode.INTERRUPT);
        ActorExit exit = Await.end(actor);
        assertTrue(stubborn.second.wasInterrupted());
        assertEquals(ActorExit.Reason.INTERRUPTED, exit.reason());
        assertTrue(exit.stuckAt().toString().contains("Gate.pass"), exit::toString);
        actor.stop(StopMode.INTERRUPT);
        assertEquals(exit, Await.end(actor));
    }

    @AllStrategies
    void aSecondStopOfTheParentInterruptsItsChildrenAgain(ThreadStrategy strategy) {
        var root = system.actor().newSink(null);
        var parent = system.actor().childOf(root).newSink(null);
        var child = stubborn.on(actor(strategy).childOf(parent));
        root.stop(StopMode.INTERRUPT);
        stubborn.second.awaitReached();
        root.stop(StopMode.INTERRUPT);
        Await.end(root);
        assertTrue(stubborn.second.wasInterrupted());
        assertTrue(child.exit().isDone());
    }

    @AllStrategies
    void aSecondCloseInterruptsAgain(ThreadStrategy strategy) {
        var actor = stubborn.on(actor(strategy));
        assertFalse(actor.close(Duration.ZERO));
        assertFalse(stubborn.second.wasInterrupted());
        assertTrue(endsWithin(() -> actor.close(Duration.ZERO), actor));
        assertTrue(stubborn.second.wasInterrupted());
    }

    @AllStrategies
    void aSecondCloseOfTheSystemInterruptsAgainAndWaits(ThreadStrategy strategy) {
        var own = ActorSystem.create();
        var actor = stubborn.on(own.actor().strategy(strategy));
        assertFalse(own.close(Duration.ZERO));
        assertFalse(stubborn.second.wasInterrupted());
        assertTrue(endsWithin(() -> own.close(Duration.ZERO), actor));
        assertTrue(stubborn.second.wasInterrupted());
        Await.end(actor);
    }

    /** One second of grace may be too short on a slow machine; several calls may be necessary. */
    private static boolean endsWithin(BooleanSupplier close, Actor<?> actor) {
        boolean ended = close.getAsBoolean();
        if (!ended) {
            Await.end(actor);
            ended = close.getAsBoolean();
        }
        return ended;
    }

    @Test
    void aSecondCloseOfTheSystemWaitsForAHandlerThatReturns() {
        var own = ActorSystem.create();
        var uninterruptible = new UninterruptibleGate();
        var actor = own.actor().newActor((Integer n) -> uninterruptible.pass());
        actor.tell(1);
        uninterruptible.awaitReached();
        assertFalse(own.close(Duration.ZERO));
        var closed = new CompletableFuture<Boolean>();
        var closer = Thread.ofPlatform().start(() -> closed.complete(own.close(Duration.ofDays(1))));
        Await.untilBlocked(closer);
        assertFalse(closed.isDone());
        uninterruptible.open();
        assertTrue(Await.value(closed));
    }

    /** The actor is registered, running, and a child of an actor that is stopped too. */
    @AllStrategies
    void oneCloseInterruptsOnce(ThreadStrategy strategy) {
        var own = ActorSystem.create();
        var parent = own.actor("parent").newSink(null);
        var actor = stubborn.on(own.actor("child").childOf(parent).strategy(strategy));
        var closed = new CompletableFuture<Boolean>();
        var other = Thread.ofPlatform().start(() -> closed.complete(own.close(Duration.ZERO)));
        assertFalse(own.close(Duration.ZERO));
        assertFalse(Await.value(closed));
        Await.thread(other);
        stubborn.second.awaitReached();
        assertFalse(stubborn.second.wasInterrupted());
        stubborn.second.open();
        Await.end(actor);
        assertFalse(stubborn.second.wasInterrupted());
        assertTrue(own.close(Await.LIMIT));
    }

    /** Several stops race with the end of the current message, after which the thread runs another actor. */
    @AllStrategies
    void aLateSecondInterruptReachesNoOtherActor(ThreadStrategy strategy) {
        long seed = 20_261_122;
        var random = new Random(seed);
        var violation = new AtomicReference<String>();
        Actor<Integer> bystander = actor(strategy).newActor((Integer micros) -> {
            try {
                if (new Semaphore(0).tryAcquire(micros, TimeUnit.MICROSECONDS)) {
                    throw new AssertionError("there was no permit");
                }
            } catch (InterruptedException e) {
                violation.set("the bystander was interrupted");
            }
        });
        for (int round = 0; round < 500; round++) {
            Actor<Integer> victim = actor(strategy).newActor((Integer spins) -> spin(spins));
            for (int i = 0; i < 3; i++) {
                victim.tell(random.nextInt(200));
                bystander.tell(random.nextInt(3));
            }
            victim.stop(StopMode.INTERRUPT);
            while (!victim.exit().isDone()) {
                spin(random.nextInt(100));
                victim.stop(StopMode.INTERRUPT);
            }
        }
        bystander.stop();
        assertEquals(ActorExit.Reason.NORMAL, Await.end(bystander).reason());
        assertNull(violation.get(), () -> "seed " + seed + ": " + violation.get());
    }

    private static void spin(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }
}
