package io.fibry.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.ForwardingActor;
import io.fibry.dispatch.OutOfMemory;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeftovers.class)
@Timeout(120)
class UdpLoopTest {

    /** Memory is still exhausted when the log line about it is formatted, twice. */
    @SuppressWarnings("serial")
    private static final class LastingError extends OutOfMemoryError {
        private int failures = 2;

        @Override
        public String getMessage() {
            if (failures-- > 0) {
                throw new OutOfMemoryError("on purpose");
            }
            return "on purpose";
        }
    }

    /** Throws on the first messages. */
    private static final class Failing extends ForwardingActor<DatagramPacket> {

        private final OutOfMemoryError error;
        private int failures;

        Failing(Actor<DatagramPacket> actor, int failures, OutOfMemoryError error) {
            super(actor);
            this.failures = failures;
            this.error = error;
        }

        @Override
        public void tell(DatagramPacket datagram) {
            if (failures-- > 0) {
                throw error;
            }
            super.tell(datagram);
        }
    }

    @Test
    void withoutMemoryADatagramIsDroppedAndTheNextHandled() throws Exception {
        assertHandlesTheThird(new OutOfMemoryError("on purpose"));
    }

    @Test
    void theLoopContinuesIfItsLogLineRunsOutOfMemoryToo() throws Exception {
        int noted = OutOfMemory.noted();
        assertHandlesTheThird(new LastingError());
        assertNotEquals(noted, OutOfMemory.noted());
    }

    private static void assertHandlesTheThird(OutOfMemoryError error) throws Exception {
        var options = UdpOptions.defaults().maxPending(1); // room that is not given back would be missing
        var handled = new CountDownLatch(1);
        UdpSocket socket = UdpSocket.open(0, options);
        var loop = new UdpLoop(socket, (datagram, sender) -> handled.countDown(), options.maxPending());
        try (var log = new LogLines();
                var system = ActorSystem.create();
                var client = new DatagramSocket()) {
            Actor<DatagramPacket> actor = system.actor().newActor(datagram -> loop.handle("test", datagram));
            var thread = Thread.ofPlatform().start(() -> loop.run("test", new Failing(actor, 2, error)));
            byte[] bytes = "hello".getBytes(UTF_8);
            for (int dropped = 0; dropped < 3; dropped++) {
                int before = dropped;
                await().atMost(Duration.ofSeconds(60)).until(() -> loop.stats().dropped() == before);
                client.send(new DatagramPacket(
                        bytes,
                        bytes.length,
                        InetAddress.getLoopbackAddress(),
                        socket.address().getPort()));
            }
            assertEquals(true, handled.await(60, TimeUnit.SECONDS));
            loop.stop();
            thread.join();
            assertEquals(new UdpStats(1, 2), loop.stats());
            assertEquals(1, log.with("cannot receive datagrams").size());
        } finally {
            socket.close();
        }
    }
}
