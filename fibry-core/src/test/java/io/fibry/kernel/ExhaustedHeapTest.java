package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.fibry.ActorBuilder;
import io.fibry.ActorSystem;
import io.fibry.Overflow;
import io.fibry.ReplyActor;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.testing.Program;
import io.fibry.testing.ServerConsole;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The heap is full now and then, while actors handle messages. Afterwards each of them replies, and the system closes.
 *
 * <p>Seen to fail: a worker that yields while it waits for its start, and ends if this runs out of memory, with the
 * spare flag set.
 */
class ExhaustedHeapTest {

    private static final String EXHAUSTIONS = "20";
    private static final int ACTORS = 60;
    private static final int SMALLEST = 32;

    private static final List<ThreadStrategy> STRATEGIES = List.of(
            ThreadStrategy.virtual(),
            ThreadStrategy.virtual(),
            ThreadStrategy.platform(),
            ThreadStrategy.pool(Thread::startVirtualThread));

    @Test
    @Timeout(400)
    void everyActorAnswersAndTheSystemCloses() throws Exception {
        try (var program = Program.start(Exhausted.class, "1", EXHAUSTIONS)) {
            int status = program.awaitEnd();
            String log = program.log();
            assertEquals(List.of(ACTORS + " of " + ACTORS + " answered", "closed: true"), program.lines(), log);
            assertEquals(0, status, log);
        }
    }

    @Test
    @Timeout(400)
    void anActorThatCannotBeStartedLeavesNothing() throws Exception {
        try (var program = Program.start(Starts.class)) {
            int status = program.awaitEnd();
            String log = program.log();
            assertEquals(List.of("all failed", "the name is free", "closed: true"), program.lines(), log);
            assertEquals(0, status, log);
        }
    }

    @Test
    @Timeout(400)
    void aWorkerSurvivesTheWaitForItsStart() throws Exception {
        try (var program = Program.startWith(List.of("-XX:-UseTLAB"), SlowStarts.class)) {
            int status = program.awaitEnd();
            String log = program.log();
            assertEquals(List.of("answered: 1", "closed: true"), program.lines(), log);
            assertEquals(0, status, log);
            assertFalse(log.contains("Could not start"), () -> "the start of the first worker must succeed: " + log);
        }
    }

    /** The steps of a program. */
    private interface Steps {
        void run() throws Exception;
    }

    /**
     * Runs the steps and ends the JVM, which the actors of the program would keep alive after an exception. The test
     * then fails at once, instead of at the limit of {@link Program}.
     */
    private static void runAndExit(Steps steps) {
        try {
            steps.run();
            System.exit(0);
        } catch (Throwable e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1); // no hook may wait for an actor that is stuck
        }
    }

    /** A program without memory between the start of the first worker and the return of that start. */
    static final class SlowStarts {

        private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

        private static final AtomicReference<byte @Nullable [][]> HOG = new AtomicReference<>();
        private static volatile boolean isFull;

        public static void main(String[] arguments) {
            runAndExit(SlowStarts::run);
        }

        private static void run() throws Exception {
            LocalSystem system = new LocalSystem(ThreadStrategy.virtual(), SlowStarts::start, 1);
            ServerConsole.awaitPreload();
            ReplyActor<Integer, Integer> actor = system.actor().newActorWithReturn((Integer n) -> n);
            System.out.println("answered: " + actor.ask(1).get(30, TimeUnit.SECONDS));
            System.out.println("closed: " + system.close(Duration.ofSeconds(20)));
        }

        private static void start(Runnable worker) {
            if (isFull) { // the first worker has been started
                Thread.startVirtualThread(worker);
                return;
            }
            Thread.startVirtualThread(() -> {
                while (!isFull) {
                    Thread.onSpinWait(); // a thread that has yielded once may do so again without memory
                }
                worker.run();
            });
            HOG.set(Exhausted.fill(1)); // from here, no class may be loaded: this start must succeed
            isFull = true;
            LockSupport.parkNanos(PAUSE_NANOS);
            HOG.set(null);
        }
    }

    /**
     * A program that starts actors whose thread cannot be made, because no memory is left. Another thread releases the
     * memory after some milliseconds.
     */
    static final class Starts {

        private static final int ROUNDS = 5;
        private static final AtomicReference<byte @Nullable [][]> HOG = new AtomicReference<>();

        public static void main(String[] arguments) {
            runAndExit(Starts::run);
        }

        private static void run() throws Exception {
            ActorSystem system = ActorSystem.create();
            ServerConsole.awaitPreload();
            Thread releaser = Thread.ofPlatform().daemon().start(Starts::release);
            ThreadStrategy strategy = ThreadStrategy.platform(thread -> {
                HOG.set(Exhausted.fill(1));
                LockSupport.unpark(releaser);
                return thread;
            });
            int failed = 0;
            for (int i = 0; i < ROUNDS; i++) {
                try {
                    system.actor("clerk").strategy(strategy).newActor(message -> {});
                } catch (OutOfMemoryError e) {
                    failed++;
                }
                while (HOG.get() != null) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                }
            }
            System.out.println(failed == ROUNDS ? "all failed" : failed + " failed");
            system.actor("clerk").newActor(message -> {});
            System.out.println("the name is free");
            System.out.println("closed: " + system.close(Duration.ofSeconds(20)));
        }

        private static void release() {
            while (true) {
                LockSupport.park();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
                HOG.set(null);
            }
        }
    }

    /** The program. Its arguments are the seed, and how often the heap is filled. */
    static final class Exhausted {

        public static void main(String[] arguments) {
            runAndExit(() -> run(new Random(Long.parseLong(arguments[0])), Integer.parseInt(arguments[1])));
        }

        private static void run(Random random, int exhaustions) throws Exception {
            ActorSystem system = ActorSystem.create();
            ServerConsole.awaitPreload();
            List<ReplyActor<Integer, Integer>> actors = actors(system, random);
            Thread traffic = Thread.ofPlatform().daemon().start(() -> send(actors, new Random(random.nextLong())));
            for (int i = 0; i < exhaustions; i++) {
                fill(SMALLEST);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(5)));
            }
            traffic.interrupt();
            traffic.join();
            long answered = actors.stream().filter(Exhausted::answers).count();
            System.out.println(answered + " of " + actors.size() + " answered");
            System.out.println("closed: " + system.close(Duration.ofSeconds(20)));
            actors.stream()
                    .filter(actor -> !actor.exit().isDone())
                    .forEach(actor -> System.err.println(state(actor) + " has not ended"));
        }

        /** Actors of all strategies that message one another, and fail now and then. */
        private static List<ReplyActor<Integer, Integer>> actors(ActorSystem system, Random random) {
            var policies = List.of(
                    Supervision.resume(), Supervision.restart().backoff(Duration.ofMillis(1), Duration.ofMillis(5)));
            List<ReplyActor<Integer, Integer>> actors = new ArrayList<>();
            for (int i = 0; i < ACTORS; i++) {
                ReplyActor<Integer, Integer> next = actors.isEmpty() ? null : actors.get(random.nextInt(actors.size()));
                ActorBuilder<Object> builder = system.actor()
                        .strategy(STRATEGIES.get(i % STRATEGIES.size()))
                        .supervision(policies.get(i % policies.size()));
                if (i % 5 == 0) {
                    builder = builder.bounded(1_000, Overflow.DROP_OLDEST);
                }
                actors.add(builder.newActorWithReturnFrom(context -> n -> handle(n, next)));
            }
            return actors;
        }

        private static Integer handle(Integer n, @Nullable ReplyActor<Integer, Integer> next) {
            if (n == 13) {
                throw new IllegalStateException("a message in thirteen fails");
            }
            if (next != null && n > 0) {
                next.tell(n - 1);
            }
            return n;
        }

        private static void send(List<ReplyActor<Integer, Integer>> actors, Random random) {
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    ReplyActor<Integer, Integer> actor = actors.get(random.nextInt(actors.size()));
                    if (random.nextBoolean()) {
                        actor.tell(random.nextInt(20));
                    } else {
                        CompletableFuture<Integer> unused = actor.ask(random.nextInt(20));
                    }
                    if (random.nextInt(50) == 0) {
                        LockSupport.parkNanos(1_000);
                    }
                } catch (OutOfMemoryError | RuntimeException e) {
                    LockSupport.parkNanos(1_000); // the message was not accepted
                }
            }
        }

        /** Fills the heap. {@code smallest} is the size of the last arrays. */
        static byte[][] fill(int smallest) {
            byte[][] all = new byte[1_000][];
            int size = 1 << 20;
            for (int i = 0; i < all.length && size >= smallest; i++) {
                try {
                    all[i] = new byte[size];
                } catch (OutOfMemoryError e) {
                    size /= 2;
                }
            }
            return all;
        }

        private static String state(ReplyActor<Integer, Integer> actor) {
            ActorCell<?> cell = ActorCell.of(actor);
            return actor + " of " + cell.dispatcher().getClass().getSimpleName() + (cell.isIdle() ? ", idle" : "")
                    + (cell.hasLeftOver() ? ", with messages in hand" : "")
                    + (cell.pauseConcernsTurn() ? ", about to pause or restart" : "")
                    + (cell.runner() == null ? "" : ", with a runner");
        }

        /**
         * As long as the actor handles messages, it is not stuck: thousands may wait, and each failure costs it a
         * backoff.
         */
        private static boolean answers(ReplyActor<Integer, Integer> actor) {
            ActorCell<?> cell = ActorCell.of(actor);
            long before = -1;
            while (cell.handled() != before) {
                before = cell.handled();
                try {
                    if (actor.ask(7).get(10, TimeUnit.SECONDS) == 7) {
                        return true;
                    }
                } catch (Exception | OutOfMemoryError e) {
                    System.err.println(state(actor) + " does not answer: " + e);
                }
            }
            return false;
        }
    }
}
