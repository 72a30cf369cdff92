package io.fibry.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ServerProcessTest {

    /** Reports its memory, and the number of files that it can open. */
    static final class Server {

        private static final List<ServerSocket> SOCKETS = new ArrayList<>();

        public static void main(String[] arguments) throws Exception {
            System.err.println("a line of the log: " + arguments[0]);
            try (var socket = new ServerSocket(0)) {
                ServerConsole.run(
                        socket.getLocalPort(),
                        Map.of(
                                "memory", () -> Runtime.getRuntime().maxMemory(),
                                "property", () -> System.getProperty("answer"),
                                "open", () -> SOCKETS.add(new ServerSocket(0)),
                                "files", Server::files));
            }
        }

        /** Loads no class when no descriptor is left: that would need one more. */
        private static int files() throws IOException {
            List<RandomAccessFile> files = new ArrayList<>();
            boolean more = true;
            while (more && files.size() < 10_000) {
                try {
                    files.add(new RandomAccessFile("/dev/null", "r"));
                } catch (IOException noneLeft) {
                    more = false;
                }
            }
            for (RandomAccessFile file : files) {
                file.close();
            }
            return files.size();
        }
    }

    @Test
    void aServerAnswersUntilTheTestHangsUp() throws Exception {
        try (var server = ServerProcess.startWith(List.of("-Danswer=42"), Server.class, "one")) {
            assertTrue(server.port() > 0);
            assertEquals(42, server.number("property"));
            assertTrue(server.number("memory") <= 64 << 20);
            assertTrue(server.number("heap") > 0);
            long sockets = server.sockets();
            assertEquals("true", server.ask("open"));
            assertEquals(sockets == 0 ? 0 : sockets + 1, server.sockets());
            assertEquals("no answer to: what", server.ask("what"));
            assertEquals(1, server.logLines("a line of the log: one"));
            assertTrue(server.isAlive());
            assertEquals(0, server.awaitEnd());
            assertFalse(server.isAlive());
        }
    }

    @Test
    void aServerCanBeShortOfDescriptors() throws Exception {
        try (var server = ServerProcess.startWithDescriptors(100, List.of(), Server.class, "two")) {
            long files = server.number("files");
            assertTrue(files > 10 && files < 100, files + " files");
        }
    }

    @Test
    void aFailedServerReportsTheCause() {
        var e = assertThrows(IOException.class, () -> ServerProcess.start(Server.class));
        assertTrue(e.getMessage().contains("ArrayIndexOutOfBounds"), e.getMessage());
    }
}
