package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorSystem;
import io.fibry.SystemOptions;
import io.fibry.ThreadStrategy;
import io.fibry.schedule.Schedule;
import io.fibry.schedule.Timetable;
import io.fibry.testing.Await;
import io.fibry.testing.Program;
import io.fibry.testing.UninterruptibleGate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of a program whose main method returns: after the work of its actors, and regardless of idle actors. */
@Timeout(120)
class KeepAliveTest {

    private static final int LONG_CHAIN = 200_000;
    private static final int ROUNDS = 2_000;
    private static final int MOST_SPINS = 50;

    private static final Map<String, ThreadStrategy> STRATEGIES = Map.of(
            "virtual", ThreadStrategy.virtual(),
            "platform", ThreadStrategy.platform(),
            "pool", ThreadStrategy.pool(Thread::startVirtualThread));

    /** Programs that do not close their systems. */
    static final class Unclosed {

        public static void main(String[] arguments) throws Exception {
            ThreadStrategy strategy = STRATEGIES.get(arguments[1]);
            switch (arguments[0]) {
                case "hello" -> hello(strategy);
                case "chain" -> chain(strategy);
                case "blocked" -> blocked(strategy);
                case "suspended" -> suspended(strategy);
                case "ask" -> ask(strategy);
                case "idle" -> idle(strategy);
                case "exit" -> exit(strategy);
                case "abandoned" -> abandoned(strategy);
                case "daemon" -> daemon(strategy);
                case "close inside" -> closeInside(strategy);
                default -> throw new IllegalArgumentException(arguments[0]);
            }
        }

        private static ActorBuilder<Object> actor(ThreadStrategy strategy) {
            return ActorSystem.anonymous().strategy(strategy);
        }

        private static void hello(ThreadStrategy strategy) {
            actor(strategy)
                    .newActor((String name) -> System.out.println("Hello " + name))
                    .tell("world");
        }

        private static void chain(ThreadStrategy strategy) {
            Actor<Integer> first = actor(strategy).newActorFrom(context -> n -> {
                if (n == 0) {
                    System.out.println("the chain has ended");
                } else {
                    context.self().tell(n - 1);
                }
            });
            first.tell(LONG_CHAIN);
        }

        private static void blocked(ThreadStrategy strategy) {
            actor(strategy)
                    .newActor((Integer millis) -> {
                        Thread.sleep(millis); // longer than all pauses of the watching thread
                        System.out.println("not blocked any more");
                    })
                    .tell(1_500);
        }

        private static void suspended(ThreadStrategy strategy) {
            actor(strategy)
                    .newActorWithReturn((Integer millis) -> {
                        List<String> log = new CopyOnWriteArrayList<>();
                        var handler = new TestHandler("suspended", log);
                        handler.atSteps(System.out::println);
                        Thread.ofPlatform().daemon().start(() -> {
                            sleep(millis); // longer than all pauses of the watching thread
                            handler.step("resumed");
                            handler.finish("done");
                        });
                        return handler.suspend();
                    })
                    .tell(1_500);
        }

        private static void ask(ThreadStrategy strategy) {
            var slow = actor(strategy).newActorWithReturn((Integer millis) -> {
                Thread.sleep(millis);
                return millis;
            });
            Actor<Integer> asking = actor(strategy).newActorFrom(context -> n -> {
                if (n > 0) {
                    context.pipeToSelf(slow.ask(n), (value, failure) -> 0);
                } else {
                    System.out.println("answered");
                }
            });
            asking.tell(300);
        }

        private static void idle(ThreadStrategy strategy) throws InterruptedException {
            var begun = new CountDownLatch(1);
            ActorSystem.named("clerk")
                    .strategy(strategy)
                    .<String>newActorFrom(context -> message -> {
                        if (message.equals("begin")) {
                            context.after(Duration.ofHours(1), "late");
                            context.every(Duration.ofMillis(20), "tick");
                            context.receiveTimeout(Duration.ofHours(1), "nothing comes");
                            context.pipeToSelf(new CompletableFuture<String>(), (value, failure) -> "never");
                            begun.countDown();
                        }
                    })
                    .tell("begin");
            Schedule.start(
                    ActorSystem.anonymous().strategy(strategy), () -> {}, Timetable.atFixedRate(Duration.ofMillis(20)));
            begun.await();
            System.out.println("main ends");
        }

        private static void exit(ThreadStrategy strategy) throws InterruptedException {
            var running = new CountDownLatch(1);
            actor(strategy)
                    .newActor((Integer n) -> {
                        running.countDown();
                        new CountDownLatch(1).await();
                    })
                    .tell(1);
            running.await();
            System.exit(3);
        }

        private static void abandoned(ThreadStrategy strategy) {
            var gate = new UninterruptibleGate();
            var system = ActorSystem.create(strategy);
            system.actor("clerk").newActor((Integer n) -> gate.pass()).tell(1);
            gate.awaitReached();
            System.out.println(system.close(Duration.ZERO));
        }

        private static void daemon(ThreadStrategy strategy) {
            Thread main = Thread.currentThread();
            var told = new CountDownLatch(1);
            Thread.ofPlatform().daemon().start(() -> {
                Await.thread(main);
                ActorSystem.create(strategy) // another system, which has not been watched before
                        .actor()
                        .newActor((String text) -> {
                            Thread.sleep(1_500);
                            System.out.println(text);
                        })
                        .tell("told by a daemon");
                told.countDown();
            });
            actor(strategy).newActor((Integer n) -> told.await()).tell(1);
        }

        private static void closeInside(ThreadStrategy strategy) {
            var system = ActorSystem.create(strategy);
            system.actor("clerk")
                    .onStopRequested(mode -> {
                        Await.soon(
                                "main has ended",
                                () -> Thread.getAllStackTraces().keySet().stream()
                                        .noneMatch(thread -> thread.getName().equals("main")));
                        sleep(1_500); // by the thread that closes the system
                        System.out.println("asked to stop");
                    })
                    .newSink(null);
            system.actor().newActor((Integer n) -> system.close()).tell(1);
        }

        private static void sleep(long millis) {
            try {
                Thread.sleep(millis);
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
        }
    }

    /** Starts the program on all strategies at once. */
    private static void assertPrints(String program, int status, String... lines) throws Exception {
        List<Program> started = new ArrayList<>();
        try {
            for (String strategy : STRATEGIES.keySet()) {
                started.add(Program.start(Unclosed.class, program, strategy));
            }
            for (Program each : started) {
                assertEquals(status, each.awaitEnd(), each.log());
                assertEquals(List.of(lines), each.lines(), each.log());
            }
        } finally {
            for (Program each : started) {
                each.close();
            }
        }
    }

    @Test
    void aMessageSentBeforeMainReturnsIsHandled() throws Exception {
        assertPrints("hello", 0, "Hello world");
    }

    @Test
    void aChainOfTellsCompletes() throws Exception {
        assertPrints("chain", 0, "the chain has ended");
    }

    @Test
    void theJvmWaitsForABlockedHandler() throws Exception {
        assertPrints("blocked", 0, "not blocked any more");
    }

    @Test
    void theJvmWaitsForASuspendedHandler() throws Exception {
        assertPrints("suspended", 0, "resumed");
    }

    @Test
    void theJvmWaitsForAReplyOfAnotherActor() throws Exception {
        assertPrints("ask", 0, "answered");
    }

    @Test
    void idleActorsAndTimersDoNotKeepTheJvmAlive() throws Exception {
        assertPrints("idle", 0, "main ends");
    }

    @Test
    void systemExitEndsTheProgramDuringAHandler() throws Exception {
        assertPrints("exit", 3);
    }

    @Test
    void anAbandonedHandlerDoesNotKeepTheJvmAlive() throws Exception {
        assertPrints("abandoned", 0, "false");
    }

    @Test
    void aMessageOfADaemonThreadAfterTheEndOfMainIsHandled() throws Exception {
        assertPrints("daemon", 0, "told by a daemon");
    }

    @Test
    void aCloseFromInsideCompletes() throws Exception {
        assertPrints("close inside", 0, "asked to stop");
    }

    /** A check concurrent with the first message either finds the message or starts the watch of the system again. */
    @Test
    void activeSystemsAreWatchedDuringConcurrentChecks() {
        var random = new Random(20_261_121);
        for (ThreadStrategy strategy : STRATEGIES.values()) {
            var system = new LocalSystem(SystemOptions.defaults().strategy(strategy));
            Actor<CountDownLatch> actor = system.actor().newActor(CountDownLatch::await);
            var begun = new AtomicInteger();
            var looked = new AtomicInteger();
            long seed = random.nextLong();
            var looker = Thread.ofPlatform().daemon().start(() -> {
                var spins = new Random(seed);
                for (int round = 1; round <= ROUNDS; round++) {
                    int current = round;
                    Await.soon("the round begins", () -> begun.get() == current);
                    spin(spins.nextInt(MOST_SPINS));
                    KeepAlive.look();
                    looked.set(round);
                }
            });
            for (int round = 1; round <= ROUNDS; round++) {
                int current = round;
                actor.tell(new CountDownLatch(0)); // starts the watch of the system, although it is idle soon
                Await.soon("the system is idle", system::isQuiescent);
                var goOn = new CountDownLatch(1);
                begun.set(round);
                spin(random.nextInt(MOST_SPINS));
                actor.tell(goOn);
                Await.soon("the other one has looked", () -> looked.get() == current);
                boolean watched = KeepAlive.watches(system);
                goOn.countDown();
                assertTrue(watched, "running, and nobody knows");
            }
            Await.thread(looker);
            system.close();
        }
    }

    private static void spin(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }
}
