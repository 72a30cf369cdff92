package io.fibry.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fibry.ActorContext;
import io.fibry.ReplyActor;
import io.fibry.ReplyContext;
import io.fibry.ReplyTo;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingFunction;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.FakeContext;
import java.time.Duration;
import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Failures beside the behavior: of the timer of a batch, and of the list of replies. */
class BatchFailureTest extends BatcherCase {

    private static final Duration SHORT = Duration.ofMillis(1);

    private static Throwable failure(CompletableFuture<?> future) {
        return assertThrows(ExecutionException.class, () -> future.get(30, TimeUnit.SECONDS))
                .getCause();
    }

    /** A batcher whose first attempts to set a timer fail. */
    @SuppressWarnings("unchecked") // as in Batcher
    private ReplyActor<Object, Object> withoutTimers(int attempts, Error error, Supervision supervision) {
        var batch = new Batch<Integer, Integer>(BatchOptions.of(3, SHORT), messages -> {
            batches.add(messages);
            return messages;
        });
        var calls = new AtomicInteger();
        return system.actor()
                .supervision(supervision)
                .newActorWithReturnFrom((ReplyContext<Object, Object> context) -> {
                    ActorContext<Object> failing = FakeContext.around(
                            context,
                            "after",
                            () -> {
                                if (calls.getAndIncrement() < attempts) {
                                    throw error;
                                }
                            },
                            () -> {});
                    batch.begin(failing);
                    return message -> {
                        if (message.equals(Batch.DUE)) {
                            batch.handOn();
                        } else {
                            batch.add(failing, (Integer) message, (ReplyTo<Integer>) (ReplyTo<?>) context.deferReply());
                        }
                        return Batch.DUE;
                    };
                });
    }

    @Test
    void onlyTheMessageFailsWhoseTimerFails() throws Exception {
        for (Supervision supervision : List.of(Supervision.resume(), Supervision.restart())) {
            batches.clear();
            var error = new OutOfMemoryError("on purpose");
            var batcher = withoutTimers(2, error, supervision);
            assertSame(error, failure(batcher.ask(1)));
            assertSame(error, failure(batcher.ask(2)));
            assertEquals(3, batcher.ask(3).get(30, TimeUnit.SECONDS), "its timer hands the batch on");
            assertEquals(List.of(List.of(3)), batches);
            batcher.close();
        }
    }

    private void allAsksFail(
            ThreadStrategy strategy,
            Class<? extends Throwable> cause,
            ThrowingFunction<List<Integer>, List<Integer>> behavior) {
        ReplyActor<Integer, Integer> batcher =
                Batcher.startWithReturn(system.actor().strategy(strategy), behavior, BatchOptions.of(3, LONG));
        var asks = List.of(batcher.ask(0), batcher.ask(1), batcher.ask(2));
        asks.forEach(ask -> assertInstanceOf(cause, failure(ask)));
    }

    @AllStrategies
    void aReplyThatCannotBeComputedFailsAllAsks(ThreadStrategy strategy) {
        allAsksFail(strategy, ArithmeticException.class, messages -> new Computed(3, 3) {
            @Override
            public Integer get(int i) {
                return 1 / (1 - i);
            }
        });
        allAsksFail(strategy, StackOverflowError.class, messages -> new Computed(3, 3) {
            @Override
            public Integer get(int i) {
                if (i == 1) {
                    throw new StackOverflowError("on purpose");
                }
                return i;
            }
        });
    }

    @AllStrategies
    void aListOfRepliesThatShrinksFailsAllAsks(ThreadStrategy strategy) {
        allAsksFail(strategy, IllegalStateException.class, messages -> new Computed(3, 1));
    }

    /** A list that computes its elements, and whose size changes after its first call. */
    private static class Computed extends AbstractList<Integer> {
        private final AtomicInteger size;
        private final int next;

        Computed(int size, int next) {
            this.size = new AtomicInteger(size);
            this.next = next;
        }

        @Override
        public Integer get(int i) {
            return Objects.checkIndex(i, next);
        }

        @Override
        public int size() {
            return size.getAndSet(next);
        }
    }
}
