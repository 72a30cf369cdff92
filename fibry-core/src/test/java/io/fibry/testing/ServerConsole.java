package io.fibry.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * The other end of a {@link ServerProcess}: the code that its main class runs on its main thread when the server has
 * been started.
 */
public final class ServerConsole {

    private ServerConsole() {}

    /**
     * Prints the port, and answers questions until the test closes the stream; then the JVM ends. In addition to the
     * given questions it knows {@code heap}, the bytes in use after a garbage collection, and {@code library threads},
     * the number of threads of the library, platform and virtual.
     */
    public static void run(int port, Map<String, Callable<?>> answers) throws Exception {
        awaitPreload();
        Await.until("the first probe of sockets ends", ServerConsole::probed);
        var out = new PrintStream(System.out, true, UTF_8);
        out.println(port);
        var in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        int status = 1; // also if an answer fails: the server's threads would keep the JVM alive
        try {
            for (String question = in.readLine(); question != null; question = in.readLine()) {
                out.println(answer(question, answers));
            }
            status = 0;
        } catch (Throwable t) {
            System.err.println("the console has failed: " + t);
        }
        System.exit(status);
    }

    /** Waits until the classes of the kernel are loaded: a test may use up all memory at once. */
    public static void awaitPreload() throws InterruptedException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("fibry-preload")) {
                thread.join();
            }
        }
    }

    /** Whether no socket is open because of a probe: a server on virtual threads runs the first one when it starts. */
    private static boolean probed() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getName().equals("fibry-socket-check"))
                .allMatch(thread -> Stream.of(thread.getValue())
                        .anyMatch(frame -> frame.getMethodName().equals("awaitNext")));
    }

    private static Object answer(String question, Map<String, Callable<?>> answers) throws Exception {
        return switch (question) {
            case "heap" -> {
                System.gc();
                Runtime runtime = Runtime.getRuntime();
                yield runtime.totalMemory() - runtime.freeMemory();
            }
            case "library threads" -> NoLeftovers.threads().size();
            default -> {
                Callable<?> known = answers.get(question);
                yield known == null ? "no answer to: " + question : known.call();
            }
        };
    }
}
