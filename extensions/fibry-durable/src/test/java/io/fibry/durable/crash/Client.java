package io.fibry.durable.crash;

import io.fibry.ActorContext;
import io.fibry.ActorStoppedException;
import io.fibry.durable.StaleStateException;
import io.fibry.durable.crash.Accounts.Command.Mark;
import io.fibry.durable.crash.Accounts.Command.Transfer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/**
 * Asks for transfers, one after the other, and repeats an ask that has failed with the same request key. Sometimes it
 * asks twice at once, or gives up. Some asks without a request key precede it. The behavior of an actor.
 */
final class Client {

    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    /**
     * A transfer, and the replies to it: none if the client has given up.
     *
     * @param marks the outcomes of the asks before it, by their ids
     */
    record Request(String key, Transfer transfer, List<Long> replies, Map<String, Outcome> marks) {}

    /** The outcome of an ask, according to its reply or failure. */
    enum Outcome {
        STORED,
        NOT_STORED,
        UNKNOWN
    }

    private final Random random;
    private final ActorContext<Request> context;
    private final Supplier<Program> program;
    private final List<Request> left;
    private final Runnable done;

    Client(long seed, ActorContext<Request> context, Supplier<Program> program, List<Request> requests, Runnable done) {
        random = new Random(seed);
        this.context = context;
        this.program = program;
        left = new ArrayList<>(requests);
        this.done = done;
        next();
    }

    private void next() {
        if (left.isEmpty()) {
            done.run();
        } else {
            context.after(Duration.ofMillis(random.nextInt(1500)), left.removeFirst());
        }
    }

    void handle(Request request) throws InterruptedException {
        if (random.nextInt(3) == 0) {
            mark(request);
        }
        List<CompletableFuture<Long>> asked = new ArrayList<>();
        for (int i = random.nextInt(5) == 0 ? 2 : 1; i > 0; i--) {
            asked.add(program.get().accounts.ref(request.key).ask(request.transfer, request.transfer.id(), TIMEOUT));
        }
        boolean isKnown = false;
        for (CompletableFuture<Long> reply : asked) {
            isKnown |= await(reply, request);
        }
        if (isKnown || random.nextInt(10) == 0) {
            next();
        } else {
            context.after(Duration.ofMillis(random.nextInt(1000)), request);
        }
    }

    private void mark(Request request) throws InterruptedException {
        String id = request.transfer.id() + "-" + request.marks.size();
        Outcome outcome;
        try {
            program.get().accounts.ref(request.key).ask(new Mark(id), TIMEOUT).get();
            outcome = Outcome.STORED;
        } catch (ExecutionException e) {
            boolean isRefused =
                    e.getCause() instanceof StaleStateException || e.getCause() instanceof ActorStoppedException;
            outcome = isRefused ? Outcome.NOT_STORED : Outcome.UNKNOWN;
        }
        request.marks.put(id, outcome);
    }

    private static boolean await(CompletableFuture<Long> reply, Request request) throws InterruptedException {
        try {
            request.replies.add(reply.get());
            return true;
        } catch (ExecutionException e) {
            return false; // the outcome is unknown
        }
    }
}
