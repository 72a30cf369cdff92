package io.fibry.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeftovers.class)
@Timeout(120)
class HttpKeeperTest {

    /** Waits for a client whose time is over, and makes the one fail who would end that. */
    private static final class Waiting extends Thread {

        Waiting(ClientWaits waits) {
            super(() -> waits.take().begin(System.nanoTime()));
        }

        @Override
        public void interrupt() {
            throw new OutOfMemoryError("on purpose");
        }
    }

    @Test
    void aKeeperThatFailsStopsTheServer() throws Exception {
        var waits = new ClientWaits(HttpOptions.defaults());
        var keeper = new HttpKeeper(new ExchangeGate(1), waits);
        JdkLimits.set(HttpOptions.defaults()); // for other tests: this may be the first server of the JVM
        HttpServer server = HttpServer.create(new InetSocketAddress(0), 1);
        int port = server.getAddress().getPort();
        server.start();
        try (var log = new LogLines();
                var system = ActorSystem.create()) {
            Actor<Void> actor = system.actor()
                    .strategy(ThreadStrategy.platform())
                    .supervision(Supervision.stop())
                    .newActor(ignored -> {});
            keeper.takeOver(actor);
            keeper.give(Optional.of(server));
            var waiting = new Waiting(waits);
            waiting.start();
            assertTrue(actor.waitForExit(Duration.ofSeconds(60)));
            waiting.join();
            assertEquals(
                    "on purpose", String.valueOf(actor.exit().join().cause().getMessage()));
            assertEquals(1, log.with(": on purpose").size());
        }
        try (var free = new ServerSocket(port)) {
            assertEquals(port, free.getLocalPort());
        }
    }
}
