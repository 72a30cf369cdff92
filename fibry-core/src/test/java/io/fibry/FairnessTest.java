package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Actors that keep all processors busy leave some time to the other virtual threads of the program. */
class FairnessTest extends KernelTest {

    private static final int ROUNDS = 20;

    private volatile boolean busy = true;

    /** What handlers do, of more actors than there are processors. */
    enum Load {
        /** Each always has many messages, of a millisecond each. */
        COMPUTE {
            @Override
            void begin(FairnessTest test, CountDownLatch atWork) {
                Actor<Integer> actor = test.system.actor().newActorFrom(context -> n -> {
                    compute(TimeUnit.MILLISECONDS.toNanos(1));
                    atWork.countDown();
                    if (test.busy) {
                        context.self().tell(n);
                    }
                });
                for (int n = 0; n < 2 * ActorCell.BATCH; n++) {
                    actor.tell(n);
                }
            }
        },
        /** Each asks another actor, in one handler that does not end. The other one runs on the same stack. */
        ASK {
            @Override
            void begin(FairnessTest test, CountDownLatch atWork) {
                ReplyActor<Integer, Integer> echo = test.system.actor().newActorWithReturn((Integer n) -> n);
                Actor<Integer> asker = test.system.actor().newActor((Integer first) -> {
                    int n = first;
                    while (test.busy) {
                        n = echo.ask(n).join();
                        atWork.countDown();
                    }
                });
                asker.tell(1);
            }
        };

        abstract void begin(FairnessTest test, CountDownLatch atWork);
    }

    private void keepAllProcessorsBusy(Load load) {
        int actors = 2 * Runtime.getRuntime().availableProcessors();
        var atWork = new CountDownLatch(actors);
        for (int i = 0; i < actors; i++) {
            load.begin(this, atWork);
        }
        Await.latch(atWork);
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

    @ParameterizedTest
    @EnumSource
    void aVirtualThreadThatSleepsGoesOnAfterwards(Load load) {
        keepAllProcessorsBusy(load);
        var rounds = new CompletableFuture<Integer>();
        Thread.startVirtualThread(() -> {
            try {
                for (int i = 0; i < ROUNDS; i++) {
                    Thread.sleep(1); // the wake-up is what is tested
                }
                rounds.complete(ROUNDS);
            } catch (InterruptedException e) {
                rounds.completeExceptionally(e);
            }
        });
        assertEquals(ROUNDS, Await.value(rounds));
    }

    @ParameterizedTest
    @EnumSource
    void aVirtualThreadAnswersAtASocket(Load load) throws IOException {
        keepAllProcessorsBusy(load);
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
