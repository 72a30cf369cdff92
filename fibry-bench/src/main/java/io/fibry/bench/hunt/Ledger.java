package io.fibry.bench.hunt;

import io.fibry.ActorExit;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;

/** The records of a system: all messages, all ends of actors, and the problems detected during the run. */
final class Ledger {

    /**
     * The end of an actor.
     *
     * @param required whether the close of the system must end the actor
     */
    record End(String actor, CompletableFuture<ActorExit> exit, boolean required) {}

    final Queue<Message> messages = new ConcurrentLinkedQueue<>();
    final Queue<End> ends = new ConcurrentLinkedQueue<>();
    final Queue<Problem> problems = new ConcurrentLinkedQueue<>();
    final LongAdder dead = new LongAdder();

    /** Dead letters of features, which wrap some messages in their own envelopes. */
    final LongAdder deadEnvelopes = new LongAdder();

    /** Whether a stage was never completed, which the close of the system may report. */
    final AtomicBoolean forgotten = new AtomicBoolean();

    private final AtomicInteger numbers = new AtomicInteger();

    /** Creates a message with an entry. */
    Message message(IntFunction<Message> withNumber) {
        Message message = withNumber.apply(numbers.getAndIncrement());
        if (message.counts()) {
            messages.add(message);
        }
        return message;
    }

    void problem(String kind, String text) {
        problems.add(new Problem(kind, text));
    }

    /** Records that the behavior has returned or thrown without stashing the message. */
    void handled(Message message) {
        message.handled.incrementAndGet();
    }

    void dead(Object message) {
        dead.increment();
        switch (message) {
            case Message m -> m.dead.incrementAndGet();
            case Code code -> code.message().dead.incrementAndGet();
            default -> deadEnvelopes.increment();
        }
    }
}
