package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorInterruptedException;
import io.fibry.ActorStoppedException;
import io.fibry.AskTimeoutException;
import io.fibry.ReplyActor;
import io.fibry.StopMode;
import io.fibry.ThrowingFunction;
import io.fibry.dispatch.Worker;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * An actor that waits for another may run it on its own stack. The only observable difference is the time. Workers run
 * when a test starts them: with no other worker, the asked actor runs in place or not at all.
 */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class AskInPlaceTest {

    private final ConcurrentLinkedQueue<Runnable> workers = new ConcurrentLinkedQueue<>();
    private final LocalSystem system = DetachedSystems.system(workers::add);

    /** The worker that was started last. */
    private @Nullable Thread latest;

    private final ReplyActor<Integer, Thread> target = replying(n -> Thread.currentThread());

    @Test
    void theTargetRunsOnTheStackOfTheWaitingActor() {
        assertTrue(asActor(() -> Thread.currentThread().equals(target.ask(1).get())));
        assertTrue(asActor(() -> Thread.currentThread().equals(target.ask(1).join())));
    }

    // ---- waits with a limit

    @Test
    void aWaitWithALimitDoesNotRunTheTargetInPlace() {
        assertTrue(asActor(() -> {
            assertThrows(TimeoutException.class, () -> target.ask(1).get(1, TimeUnit.MILLISECONDS));
            return true;
        }));
    }

    @Test
    void aReplyWithALimitDoesNotRunTheTargetInPlace() {
        assertTrue(asActor(() -> {
            var limited = target.ask(1).orTimeout(1, TimeUnit.MILLISECONDS);
            var late = assertThrows(CompletionException.class, limited::join); // a wait without a limit of its own
            assertInstanceOf(TimeoutException.class, late.getCause());
            return true;
        }));
        assertTrue(asActor(() -> {
            Thread instead = new Thread();
            assertSame(
                    instead,
                    target.ask(1)
                            .completeOnTimeout(instead, 1, TimeUnit.MILLISECONDS)
                            .join());
            return true;
        }));
    }

    @Test
    void anAskWithALimitDoesNotRunTheTargetInPlace() {
        var limit = Duration.ofMillis(1);
        assertTrue(asActor(() -> {
            var late = assertThrows(
                    ExecutionException.class, () -> target.ask(1, limit).get());
            return late.getCause() instanceof AskTimeoutException;
        }));
        assertTrue(asActor(() -> {
            var late = assertThrows(
                    CompletionException.class, () -> target.ask(1, limit).join());
            return late.getCause() instanceof AskTimeoutException;
        }));
    }

    @Test
    void theTargetDoesNotRunInPlaceWhenAnotherActorIsNext() {
        var other = replying(n -> n);
        CompletableFuture<Boolean> elsewhere = startAsActor(() -> {
            var reply = target.ask(1);
            other.tell(2); // is the next to run now
            return !Thread.currentThread().equals(reply.get());
        });
        Await.until("a spare answers", () -> {
            runAllWorkers();
            return elsewhere.isDone();
        });
        assertTrue(Await.value(elsewhere));
    }

    // ---- order, and further messages of the target

    @Test
    void earlierMessagesOfTheTargetAreHandledFirstAndLaterOnesWait() {
        var handled = Collections.synchronizedList(new ArrayList<Integer>());
        var counting = replying((Integer n) -> {
            handled.add(n);
            return n;
        });
        List<Integer> whenAnswered = asActor(() -> {
            counting.tell(1);
            counting.tell(2);
            var reply = counting.ask(3);
            counting.tell(4);
            var later = counting.ask(5);
            assertEquals(3, reply.get());
            assertFalse(later.isDone());
            return new ArrayList<>(handled);
        });
        assertEquals(List.of(1, 2, 3), whenAnswered);
        runAllWorkers();
        assertEquals(List.of(1, 2, 3, 4, 5), handled);
    }

    @Test
    void aReplyBehindMoreThanABatchArrives() {
        var counting = replying((Integer n) -> n);
        CompletableFuture<Integer> answer = startAsActor(() -> {
            for (int i = 0; i < 3 * ActorCell.BATCH; i++) {
                counting.tell(i);
            }
            return counting.ask(-1).get();
        });
        Await.until("the asker gives way", () -> {
            runAllWorkers();
            return answer.isDone();
        });
        assertEquals(-1, Await.value(answer));
    }

    @Test
    void theAskerDoesNotRunTheEndOfTheTarget() {
        var hookRan = new CompletableFuture<Thread>();
        ReplyActor<Integer, Integer> ending = system.actor()
                .onStop(exit -> hookRan.complete(Thread.currentThread()))
                .newActorWithReturn((Integer n) -> n);
        assertTrue(asActor(() -> {
            var reply = ending.ask(7);
            ending.stop();
            assertEquals(7, reply.get());
            return !hookRan.isDone();
        }));
        runAllWorkers();
        assertTrue(hookRan.isDone());
    }

    @Test
    void aDiscardedQuestionFailsInPlace() {
        assertTrue(asActor(() -> {
            var reply = target.ask(1);
            target.stop(StopMode.DISCARD);
            return assertThrows(ExecutionException.class, reply::get).getCause() instanceof ActorStoppedException;
        }));
    }

    // ---- failure

    @Test
    void aFailureAffectsTheReplyOnly() {
        var failing = replying((Integer n) -> {
            if (n == 1) {
                throw new IllegalArgumentException("one");
            }
            if (n == 2) {
                throw new StackOverflowError("two");
            }
            return n;
        });
        assertEquals(3, asActor(() -> {
            assertEquals("one", Await.failure(joined(failing.ask(1))).getMessage());
            assertEquals("two", Await.failure(joined(failing.ask(2))).getMessage());
            return failing.ask(3).get();
        }));
    }

    // ---- nesting

    @Test
    void nestedAsksRunInPlaceUpToABoundedDepth() {
        int levels = 10 * Worker.MAX_DEPTH;
        var threads = Collections.synchronizedList(new ArrayList<Thread>());
        ReplyActor<Integer, Integer> previous = replying((Integer n) -> n);
        for (int i = 0; i < levels; i++) {
            var next = previous;
            previous = replying((Integer n) -> {
                threads.add(Thread.currentThread());
                return 1 + value(next.ask(n));
            });
        }
        var first = previous;
        CompletableFuture<Integer> answer = startAsActor(() -> first.ask(0).get());
        Await.until("all have answered", () -> {
            Await.until("the stack is full", () -> answer.isDone() || isWaiting(threads));
            Runnable worker = workers.poll();
            if (worker != null) {
                Thread.ofVirtual().start(worker);
            }
            return answer.isDone();
        });
        assertEquals(levels, Await.value(answer));
        long onTheFirstStack = threads.stream()
                .filter(thread -> thread.equals(threads.getFirst()))
                .count();
        assertEquals(Worker.MAX_DEPTH, onTheFirstStack);
    }

    // ---- interrupts

    @Test
    void anInterruptOfTheAskerWaitsForTheTargetToFinish() {
        var gate = new Gate();
        var busy = replying((Integer n) -> {
            gate.pass();
            return Thread.currentThread().isInterrupted();
        });
        var interruptedAfterwards = new CompletableFuture<Boolean>();
        Actor<String> asker = system.actor().newActor((String message) -> {
            assertFalse(value(busy.ask(1)));
            interruptedAfterwards.complete(Thread.currentThread().isInterrupted());
        });
        asker.tell("go");
        Thread worker = startWorker();
        gate.awaitReached();
        asker.stop(StopMode.INTERRUPT);
        gate.open();
        Await.thread(worker);
        assertFalse(gate.wasInterrupted());
        assertTrue(Await.value(interruptedAfterwards));
    }

    @Test
    void anInterruptOfTheTargetDoesNotReachTheAsker() {
        var gate = new Gate();
        var busy = replying((Integer n) -> {
            gate.pass();
            return n;
        });
        CompletableFuture<Boolean> interrupted = startAsActor(() -> {
            assertInstanceOf(ActorInterruptedException.class, Await.failure(joined(busy.ask(1))));
            return Thread.currentThread().isInterrupted();
        });
        gate.awaitReached();
        busy.stop(StopMode.INTERRUPT);
        assertFalse(Await.value(interrupted));
        assertTrue(gate.wasInterrupted());
    }

    @Test
    void anAskerThatIsInterruptedAlreadyDoesNotRunTheTarget() {
        assertTrue(asActor(() -> {
            Thread.currentThread().interrupt();
            assertThrows(InterruptedException.class, () -> target.ask(1).get());
            return true;
        }));
    }

    // ---- waits for the actor itself

    @Test
    void theTargetKnowsThatTheAskerCannotEndBeforeItself() {
        var asker = new CompletableFuture<Actor<String>>();
        var result = new CompletableFuture<String>();
        var waiting = replying((Integer n) -> {
            Await.value(asker).close(); // does not wait, since the wait would never end
            return assertThrows(
                            IllegalStateException.class,
                            () -> Await.value(asker).waitForExit())
                    .getMessage();
        });
        asker.complete(system.actor().newActor((String message) -> result.complete(value(waiting.ask(1)))));
        Await.value(asker).tell("go");
        Await.thread(startWorker());
        assertTrue(Await.value(result).contains("waits for its own end"), result::toString);
    }

    @Test
    void aSystemThatClosesStopsAllActorsOnTheStack() {
        var gate = new Gate();
        var busy = replying((Integer n) -> {
            gate.pass();
            return n;
        });
        CompletableFuture<Throwable> failure = startAsActor(() -> Await.failure(joined(busy.ask(1))));
        gate.awaitReached();
        var closing = Thread.ofPlatform().start(() -> system.close(Duration.ZERO));
        assertInstanceOf(ActorInterruptedException.class, Await.value(failure));
        Await.until("the system is closed", () -> {
            runAllWorkers();
            return !closing.isAlive();
        });
    }

    // ---- helpers

    private interface Code<T> {
        T run() throws Exception;
    }

    private <R> ReplyActor<Integer, R> replying(ThrowingFunction<Integer, R> behavior) {
        return system.actor().newActorWithReturn(behavior);
    }

    /** Runs code as an actor's handler, on its own worker, with no other actor running. */
    private <T> T asActor(Code<T> code) {
        T result = Await.value(startAsActor(code));
        Await.thread(Objects.requireNonNull(latest)); // it might continue with work that the code has left
        return result;
    }

    private <T> CompletableFuture<T> startAsActor(Code<T> code) {
        runAllWorkers();
        var result = new CompletableFuture<T>();
        Actor<Code<T>> actor = system.actor().newActor((Code<T> message) -> {
            try {
                result.complete(message.run());
            } catch (Throwable t) {
                result.completeExceptionally(t);
            }
        });
        actor.tell(code);
        startWorker();
        return result;
    }

    private Thread startWorker() {
        Thread worker = Thread.ofVirtual().start(workers.remove());
        latest = worker;
        return worker;
    }

    private void runAllWorkers() {
        for (Runnable worker = workers.poll(); worker != null; worker = workers.poll()) {
            Await.thread(Thread.ofVirtual().start(worker));
        }
    }

    /** Waits without a limit, as required to run in place, and returns the future. */
    private static <T> CompletableFuture<T> joined(CompletableFuture<T> future) {
        try {
            assertNull(future.join());
        } catch (RuntimeException e) {
            assertTrue(future.isCompletedExceptionally(), e::toString);
        }
        return future;
    }

    private static boolean isWaiting(List<Thread> threads) {
        return !threads.isEmpty() && threads.getLast().getState() == Thread.State.WAITING;
    }

    private static <T> T value(CompletableFuture<T> future) {
        return future.join();
    }
}
