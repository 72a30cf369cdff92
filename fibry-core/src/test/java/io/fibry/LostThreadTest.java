package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.fibry.testing.Program;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The JDK loses a virtual thread if memory runs out while it schedules the end of a timed wait.
 * {@link Thread#getStackTrace} does not return for such a thread. A dump, a timeout and a close return nevertheless.
 */
class LostThreadTest {

    private static final String OTHER_JDK = "this JDK schedules timed waits in another way";

    @Test
    @Timeout(180)
    void aDumpATimeoutAndACloseEndAlthoughAThreadIsLost() throws Exception {
        var options = List.of("--add-opens=java.base/java.lang=ALL-UNNAMED");
        try (var program = Program.startWith(options, Lost.class)) {
            int status = program.awaitEnd();
            assumeFalse(program.lines().contains(OTHER_JDK));
            assertEquals(
                    List.of("the dump ended: true", "the ask failed: AskTimeoutException", "closed: false"),
                    program.lines(),
                    program.log());
            assertEquals(0, status, program.log());
        }
    }

    /** The program. */
    static final class Lost {

        private static final String VIRTUAL_THREAD = "java.lang.VirtualThread";
        private static final CountDownLatch LOST = new CountDownLatch(1);

        public static void main(String[] arguments) throws Exception {
            ActorSystem system = ActorSystem.create();
            ReplyActor<String, String> actor = system.actor("lost").newActorWithReturn((String m) -> {
                leaveForkJoinPool();
                Thread.sleep(Duration.ofHours(1));
                return m;
            });
            if (!replaceTimers()) {
                System.out.println(OTHER_JDK);
                System.exit(0);
            }
            actor.tell("a");
            LOST.await();
            System.out.println("the dump ended: " + system.dump().toString().contains("noStack"));
            try {
                actor.ask("b", Duration.ofMillis(1)).get();
            } catch (ExecutionException e) {
                System.out.println("the ask failed: " + e.getCause().getClass().getSimpleName());
            }
            System.out.println("closed: " + system.close(Duration.ofSeconds(1)));
            System.exit(0);
        }

        /** The timers of virtual threads that do not run in a fork-join pool. Returns false if this JDK has none. */
        private static boolean replaceTimers() throws IllegalAccessException {
            try {
                Field field =
                        Class.forName(VIRTUAL_THREAD + "$DelayedTaskSchedulers").getDeclaredField("INSTANCE");
                field.setAccessible(true);
                var timers = (ScheduledExecutorService[]) field.get(null);
                for (int i = 0; i < timers.length; i++) {
                    timers[i] = new NoMemory();
                }
                return true;
            } catch (ClassNotFoundException | NoSuchFieldException e) {
                return false;
            }
        }

        /** From now on, the calling thread uses these timers. */
        private static void leaveForkJoinPool() throws ReflectiveOperationException {
            Field scheduler = Class.forName(VIRTUAL_THREAD).getDeclaredField("scheduler");
            scheduler.setAccessible(true);
            var pool = (Executor) scheduler.get(Thread.currentThread());
            scheduler.set(Thread.currentThread(), new OtherExecutor(pool));
        }

        private record OtherExecutor(Executor pool) implements Executor {
            @Override
            public void execute(Runnable task) {
                pool.execute(task);
            }
        }

        /** Memory is exhausted when the end of the long wait is scheduled. */
        private static final class NoMemory extends ScheduledThreadPoolExecutor {

            NoMemory() {
                super(1, Thread.ofPlatform().daemon().factory());
            }

            @Override
            public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
                LOST.countDown();
                throw new OutOfMemoryError("on purpose");
            }
        }
    }
}
