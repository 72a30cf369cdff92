package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.Await;
import io.fibry.testing.ServerProcess;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code closeOnShutdown}: a JVM that is asked to terminate ends its actors first. */
@Timeout(60)
class ShutdownHookTest {

    private static final int SIGTERM_STATUS = 128 + 15;

    /** Has waiting messages until the JVM is asked to terminate. */
    static final class Server {

        public static void main(String[] arguments) throws InterruptedException {
            var system = ActorSystem.create();
            switch (arguments[0]) {
                case "hook" -> system.closeOnShutdown(Duration.ofSeconds(30));
                case "two hooks" -> {
                    system.closeOnShutdown(Duration.ofSeconds(30));
                    system.closeOnShutdown(Duration.ZERO); // has no effect
                }
                case "short" -> system.closeOnShutdown(Duration.ZERO);
                default -> System.err.println("no hook");
            }
            var handled = new AtomicInteger();
            var begun = new CountDownLatch(1);
            var actor = system.actor("clerk")
                    .onStop(exit -> System.err.println("handled " + handled))
                    .newActor((Integer n) -> {
                        if (n == 0) {
                            begun.countDown();
                            awaitTheEndOf(system, arguments[0].equals("short"));
                        }
                        handled.incrementAndGet();
                    });
            for (int i = 0; i < 100; i++) {
                actor.tell(i);
            }
            begun.await();
            System.out.println(0); // no port: it is ready
            new CountDownLatch(1).await();
        }

        private static void awaitTheEndOf(ActorSystem system, boolean forEver) {
            try {
                if (forEver) {
                    new CountDownLatch(1).await();
                }
                Await.until("the system closes", system::isClosing);
            } catch (InterruptedException e) {
                System.err.println("interrupted");
            }
        }
    }

    @Test
    void aTerminatedJvmHandlesItsAcceptedMessages() throws Exception {
        for (String hook : List.of("hook", "two hooks")) {
            assertEnds(hook, "handled 100");
        }
    }

    @Test
    void theJvmEndsAfterTheDeadline() throws Exception {
        assertEnds("short", "interrupted", "handled 1");
    }

    private static void assertEnds(String hook, String... said) throws Exception {
        try (var server = ServerProcess.start(Server.class, hook)) {
            assertTrue(ProcessHandle.of(server.pid()).orElseThrow().destroy());
            assertEquals(SIGTERM_STATUS, server.awaitEnd());
            for (String line : said) {
                assertEquals(1, server.logLines(line), server.log());
            }
        }
    }

    @Test
    void withoutTheHookTheMessagesAreLost() throws Exception {
        try (var server = ServerProcess.start(Server.class, "none")) {
            assertTrue(ProcessHandle.of(server.pid()).orElseThrow().destroy());
            assertEquals(SIGTERM_STATUS, server.awaitEnd());
            assertEquals(0, server.logLines("handled"));
        }
    }

    @Test
    void aClosedSystemHasNoHook() {
        var system = ActorSystem.create();
        system.closeOnShutdown(Duration.ofSeconds(1));
        system.close();
        assertThrows(IllegalStateException.class, () -> system.closeOnShutdown(Duration.ofSeconds(1)));
        assertThrows(NullPointerException.class, () -> {
            try (var open = ActorSystem.create()) {
                open.closeOnShutdown(null);
            }
        });
    }

    /** A hook would retain it. */
    @Test
    void aClosedSystemIsGarbageEvenIfItGetsAHookWhileItIsBeingClosed() {
        var random = new Random(20_261_120);
        assertCollected(IntStream.range(0, 1_000)
                .mapToObj(i -> closedMeanwhile(random.nextInt(2_000)))
                .toList());
    }

    @Test
    void aClosedSystemIsGarbageAfterTwoCallsOfCloseOnShutdown() {
        assertCollected(List.of(closedAfterTwoCalls()));
    }

    private static WeakReference<ActorSystem> closedAfterTwoCalls() {
        try (var system = ActorSystem.create()) {
            system.closeOnShutdown(Duration.ofSeconds(1));
            system.closeOnShutdown(Duration.ofSeconds(2));
            return new WeakReference<>(system);
        }
    }

    private static void assertCollected(List<WeakReference<ActorSystem>> systems) {
        Await.until("the systems are collected", () -> {
            System.gc();
            return systems.stream().allMatch(system -> system.refersTo(null));
        });
    }

    private static WeakReference<ActorSystem> closedMeanwhile(int spins) {
        var system = ActorSystem.create();
        var both = new AtomicInteger();
        var closer = Thread.ofPlatform().start(() -> {
            both.incrementAndGet();
            Await.soon("the other one is there", () -> both.get() == 2);
            system.close();
        });
        Await.soon("the closer is there", () -> both.get() == 1);
        both.incrementAndGet();
        for (int i = 0; i < spins; i++) {
            Thread.onSpinWait();
        }
        try {
            system.closeOnShutdown(Duration.ofSeconds(1));
        } catch (IllegalStateException closed) {
            assertTrue(closed.getMessage().contains("closed"), closed::getMessage);
        }
        Await.thread(closer);
        return new WeakReference<>(system);
    }
}
