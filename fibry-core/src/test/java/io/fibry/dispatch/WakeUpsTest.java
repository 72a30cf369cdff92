package io.fibry.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.ActorSystem;
import io.fibry.testing.Program;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The JDK loses wake-ups when memory runs out. Threads of actors that wait look again by themselves then. */
class WakeUpsTest {

    /** In a JVM of its own, because memory counts as having run out up to its end. */
    @Test
    @Timeout(120)
    void afterMemoryHasRunOutNobodyWaitsForALostWakeUp() throws Exception {
        try (var program = Program.start(Waiting.class)) {
            assertEquals(0, program.awaitEnd(), program.log());
            assertEquals(List.of("all came to their end"), program.lines());
        }
    }

    /** The program. Nobody wakes up its actors. */
    static final class Waiting {

        private static final int ACTORS = 100;
        private static volatile boolean over;

        public static void main(String[] arguments) throws Exception {
            try (var system = ActorSystem.create()) {
                var waiting = new CountDownLatch(ACTORS);
                var ended = new CountDownLatch(ACTORS);
                for (int i = 0; i < ACTORS; i++) {
                    system.actor().runOnce(() -> {
                        waiting.countDown();
                        while (!over) {
                            LockSupport.park();
                        }
                        ended.countDown();
                    });
                }
                waiting.await();
                OutOfMemory.note();
                over = true;
                ended.await();
                System.out.println("all came to their end");
            }
        }
    }
}
