package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** An interrupt belongs to one message of one actor. */
class InterruptTest extends KernelTest {

    private static final int ROUNDS = 1_000;

    private final AtomicReference<String> violation = new AtomicReference<>();

    @AllStrategies(direct = true)
    void anInterruptStatusOfAHandlerIsNotSeenByTheNext(ThreadStrategy strategy) {
        ReplyActor<Integer, Boolean> actor = actor(strategy).newActorWithReturn((Integer n) -> {
            boolean seen = Thread.currentThread().isInterrupted();
            Thread.currentThread().interrupt();
            return seen;
        });
        for (int i = 0; i < 500; i++) {
            assertFalse(Await.value(actor.ask(i)));
        }
        assertEquals(ActorExit.Reason.NORMAL, exitAfterStop(actor).reason());
    }

    @AllStrategies
    void anInterruptStatusOfATaskAHookOrAResourceIsNotSeenByOthers(ThreadStrategy strategy) {
        var bystander = actor(strategy)
                .newActorWithReturn((Integer n) -> Thread.currentThread().isInterrupted());
        var replies = new ArrayList<CompletableFuture<Boolean>>();
        var bystanders = new ArrayList<ReplyActor<Integer, Boolean>>();
        // An actor makes the others ready, so its own worker runs some of them one after the other.
        var driver = actor(strategy).newSink(null);
        driver.execute(() -> {
            for (int i = 0; i < 50; i++) {
                var other = actor(strategy)
                        .newActorWithReturn(
                                (Integer n) -> Thread.currentThread().isInterrupted());
                bystanders.add(other);
                Actor<Object> leaver = actor(strategy)
                        .onStop(exit -> Thread.currentThread().interrupt())
                        .newSink(null);
                leaver.closeOnExit(() -> Thread.currentThread().interrupt());
                var dependent =
                        leaver.exit().thenAccept(exit -> Thread.currentThread().interrupt());
                leaver.stop();
                replies.add(other.ask(i));
                replies.add(bystander.ask(i));
                assertFalse(dependent.isCancelled());
            }
        });
        driver.close(Await.LIMIT);
        replies.forEach(reply -> assertFalse(Await.value(reply)));
        bystanders.forEach(Actor::stop);
    }

    @AllStrategies
    void onlyTheStoppedActorIsInterrupted(ThreadStrategy strategy) {
        long seed = 20_260_101;
        var random = new Random(seed);
        List<Actor<Integer>> bystanders = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            bystanders.add(actor(strategy).newActor((Integer n) -> checkUndisturbed("bystander", n)));
        }
        for (int round = 0; round < ROUNDS; round++) {
            var victim = new Victim(strategy);
            for (int i = 0; i < 3; i++) {
                victim.actor.tell(random.nextInt(20));
                bystanders.get(random.nextInt(4)).tell(random.nextInt(20));
            }
            for (int spins = random.nextInt(2_000); spins > 0; spins--) {
                Thread.onSpinWait();
            }
            victim.stop(random.nextBoolean());
        }
        bystanders.forEach(bystander ->
                assertEquals(ActorExit.Reason.NORMAL, exitAfterStop(bystander).reason()));
        assertNull(violation.get(), () -> "seed " + seed + ": " + violation.get());
    }

    /** The stop races with the end of the current message, after which the thread runs another actor. */
    @AllStrategies
    void aLateInterruptReachesNoOtherActor(ThreadStrategy strategy) {
        var random = new Random(20_260_106);
        var interrupted = new AtomicReference<String>();
        Actor<Integer> bystander = actor(strategy).newActor((Integer spins) -> {
            spin(spins);
            if (Thread.currentThread().isInterrupted()) {
                interrupted.set("the bystander was interrupted");
            }
        });
        for (int round = 0; round < 4_000; round++) {
            var begun = new AtomicBoolean();
            Actor<Integer> victim = actor(strategy).newActor((Integer spins) -> {
                begun.set(true);
                spin(spins);
            });
            victim.tell(random.nextInt(50));
            bystander.tell(200);
            Await.soon("the victim begins", begun::get);
            spin(random.nextInt(100));
            victim.stop(StopMode.INTERRUPT);
        }
        assertEquals(ActorExit.Reason.NORMAL, exitAfterStop(bystander).reason());
        assertNull(interrupted.get());
    }

    /**
     * An asker is interrupted at random points while it asks in an endless loop, and the asked actors run on its stack
     * or on other workers.
     */
    @Test
    void anInterruptOfTheAskerNeverReachesTheAskedActor() {
        long seed = 20_261_120;
        var random = new Random(seed);
        var asked = system.actor().newActorWithReturn((Integer micros) -> {
            checkUndisturbed("asked", micros);
            return micros;
        });
        for (int round = 0; round < 500; round++) {
            int micros = random.nextInt(20);
            var asking = new CountDownLatch(1);
            var asker = system.actor().newActor((Integer n) -> {
                try {
                    while (!Thread.currentThread().isInterrupted()) {
                        asked.ask(n).get();
                        asking.countDown();
                    }
                } catch (InterruptedException | ExecutionException e) {
                    Thread.currentThread().interrupt();
                }
            });
            asker.tell(micros);
            Await.latch(asking);
            spin(random.nextInt(2_000));
            asker.stop(StopMode.INTERRUPT);
            assertEquals(ActorExit.Reason.INTERRUPTED, Await.end(asker).reason());
        }
        assertNull(violation.get(), () -> "seed " + seed + ": " + violation.get());
    }

    private static void spin(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }

    /** An actor that is interrupted, and the earliest moment at which the interrupt is allowed. */
    private final class Victim {
        private volatile boolean mayBeInterrupted;
        final Actor<Integer> actor;

        Victim(ThreadStrategy strategy) {
            actor = actor(strategy).newActor((Integer n) -> {
                if (!mayBeInterrupted && Thread.currentThread().isInterrupted() && !mayBeInterrupted) {
                    violation.compareAndSet(null, "a victim that has not been stopped was interrupted");
                }
                try {
                    if (new Semaphore(0).tryAcquire(n, TimeUnit.MICROSECONDS)) {
                        throw new AssertionError("there was no permit");
                    }
                } catch (InterruptedException e) {
                    if (!mayBeInterrupted) {
                        violation.compareAndSet(null, "a victim was interrupted before it was stopped");
                    }
                    Thread.currentThread().interrupt();
                }
            });
        }

        void stop(boolean drainFirst) {
            if (drainFirst) {
                actor.stop();
            }
            mayBeInterrupted = true;
            actor.stop(StopMode.INTERRUPT);
        }
    }

    private void checkUndisturbed(String who, int micros) {
        if (Thread.interrupted()) {
            violation.compareAndSet(null, "the " + who + " began with an interrupt");
        }
        try {
            if (new Semaphore(0).tryAcquire(micros, TimeUnit.MICROSECONDS)) {
                throw new AssertionError("there was no permit");
            }
        } catch (InterruptedException e) {
            violation.compareAndSet(null, "the " + who + " was interrupted while it waited");
        }
    }

    private static ActorExit exitAfterStop(Actor<?> actor) {
        actor.stop();
        return Await.end(actor);
    }
}
