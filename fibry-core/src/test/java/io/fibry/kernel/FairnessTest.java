package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.Actor;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Actors that occupy all processors leave some time to the other virtual threads of the program. */
class FairnessTest extends KernelTest {

    private static final int ROUNDS = 20;

    private volatile boolean busy = true;

    /** More actors than processors; each always has many messages of a millisecond to handle. */
    @BeforeEach
    void keepAllProcessorsBusy() {
        int actors = 2 * Runtime.getRuntime().availableProcessors();
        var running = new CountDownLatch(actors);
        for (int i = 0; i < actors; i++) {
            Actor<Integer> actor = system.actor().newActorFrom(context -> n -> {
                compute(TimeUnit.MILLISECONDS.toNanos(1));
                running.countDown();
                if (busy) {
                    context.self().tell(n);
                }
            });
            for (int n = 0; n < 2 * ActorCell.BATCH; n++) {
                actor.tell(n);
            }
        }
        Await.latch(running);
    }

    @AfterEach
    void stopThem() {
        busy = false;
    }

    private static void compute(long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aSleepingVirtualThreadContinuesAfterwards() {
        var rounds = new CompletableFuture<Integer>();
        Thread.startVirtualThread(() -> {
            try {
                for (int i = 0; i < ROUNDS; i++) {
                    Thread.sleep(1); // the test is about the wake-up
                }
                rounds.complete(ROUNDS);
            } catch (InterruptedException e) {
                rounds.completeExceptionally(e);
            }
        });
        assertEquals(ROUNDS, Await.value(rounds));
    }

    @Test
    void aVirtualThreadAnswersAtASocket() throws IOException {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.startVirtualThread(() -> echo(server));
            try (var client = new Socket(server.getInetAddress(), server.getLocalPort())) {
                client.setSoTimeout((int) Await.LIMIT.toMillis());
                for (int i = 0; i < ROUNDS; i++) {
                    client.getOutputStream().write(i);
                    assertEquals(i, client.getInputStream().read());
                }
            }
        }
    }

    private static void echo(ServerSocket server) {
        try (Socket socket = server.accept()) {
            for (int b = socket.getInputStream().read();
                    b >= 0;
                    b = socket.getInputStream().read()) {
                socket.getOutputStream().write(b);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
