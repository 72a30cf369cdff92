package io.fibry.kernel;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.fibry.dispatch.OutOfMemory;
import io.fibry.dispatch.WaitingThreads;
import io.fibry.flight.Flight;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Loads and initializes the classes of the kernel, and some of the JDK, when the first system is created. A class that
 * is first used while memory is exhausted cannot be initialized, and the JVM does not retry: every later use fails with
 * a {@link NoClassDefFoundError}. This mainly affects the code for errors and overload, which is used late. A dedicated
 * thread loads the classes, so that the program is not delayed.
 */
final class Preload implements Runnable {

    /** Written by the build: the classes of the API, of this package and of {@code io.fibry.dispatch}. */
    private static final String LIST = "preload.txt";

    private static final Consumer<String> LOAD = Preload::load;
    private static final Consumer<Preload> USE_JDK = Preload::useJdk;

    static {
        Thread.ofPlatform()
                .name("fibry-preload")
                .daemon()
                .inheritInheritableThreadLocals(false)
                .start(new Preload());
    }

    private Preload() {}

    /** Starts the thread, on the first call. */
    static void begin() {}

    @Override
    public void run() {
        Flight.listen();
        for (String name : names()) {
            OutOfMemory.repeat(LOAD, name);
        }
        OutOfMemory.repeat(USE_JDK, this);
        WaitingThreads.COUNTED.load();
    }

    private static void load(String name) {
        try {
            Class.forName("io.fibry." + name, true, Preload.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) { // a tool that shrinks programs has removed it
            return; // the code that needs the class will fail
        }
    }

    /**
     * Uses the classes of the JDK that an actor may otherwise use for the first time while memory is exhausted: the
     * classes of a virtual thread, of its timed wait, and of a stack trace.
     */
    private void useJdk() {
        new Throwable().printStackTrace(new PrintWriter(Writer.nullWriter()));
        try {
            Thread.startVirtualThread(() -> LockSupport.parkNanos(1)).join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The names of the classes, without {@code io.fibry}. Empty if a tool has removed the list. */
    static List<String> names() {
        try (InputStream list = Preload.class.getResourceAsStream(LIST)) {
            return list == null
                    ? List.of()
                    : new String(list.readAllBytes(), US_ASCII).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + LIST, e);
        }
    }
}
