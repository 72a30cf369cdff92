package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.ServerProcess;
import io.fibry.testing.UninterruptibleGate;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A handler that ignores interrupts does not keep alive a JVM that is asked to terminate. */
@Timeout(60)
class StuckShutdownTest {

    /** Has a handler that never ends. */
    static final class Server {

        public static void main(String[] arguments) {
            var system = ActorSystem.create();
            system.closeOnShutdown(Duration.ZERO);
            var gate = new UninterruptibleGate();
            system.actor("clerk").newActor((Integer n) -> gate.pass()).tell(1);
            gate.awaitReached();
            System.out.println(0); // no port: it is ready
            new UninterruptibleGate().pass();
        }
    }

    @Test
    void theJvmEndsAndTheStackOfTheHandlerIsLogged() throws Exception {
        try (var server = ServerProcess.start(Server.class)) {
            assertTrue(ProcessHandle.of(server.pid()).orElseThrow().destroy());
            assertEquals(128 + 15, server.awaitEnd());
            assertEquals(1, server.logLines("Actor clerk was interrupted but does not end"), server.log());
            assertEquals(1, server.logLines("io.fibry.testing.UninterruptibleGate.pass"), server.log());
        }
    }
}
