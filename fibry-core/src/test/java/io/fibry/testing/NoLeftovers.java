package io.fibry.testing;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Fails a test class that leaves a thread of the library behind, platform or virtual, or a TCP socket. */
public final class NoLeftovers implements BeforeAllCallback, AfterAllCallback {

    /** Includes the threads of the JDK's HTTP server. The watch of the workers and the timer stay. */
    private static final Pattern OURS = Pattern.compile(
            "\"(fibry-(?!watch\"|timer\")|actor-|HTTP-Dispatcher|idle-timeout-task|req-rsp-timeout-task)[^\"]*\"");

    private static final ExtensionContext.Namespace SPACE = ExtensionContext.Namespace.create(NoLeftovers.class);

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getStore(SPACE).put("before", all());
    }

    @Override
    public void afterAll(ExtensionContext context) {
        var before = (Set<?>) context.getStore(SPACE).get("before");
        // A thread exists for a moment after it has signalled its end.
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            Set<String> left = all();
            left.removeAll(before);
            assertEquals(Set.of(), left, "left behind by " + context.getDisplayName());
        });
    }

    private static Set<String> all() {
        try {
            Set<String> all = threads();
            all.addAll(sockets());
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The library's threads, platform and virtual. A dump of all threads, the public way to find virtual threads, may
     * crash a JVM whose virtual threads are being mounted (JDK-8364343).
     */
    static Set<String> threads() {
        return livingThreads()
                .map(thread -> "#" + thread.threadId() + " \"" + thread.getName() + "\"")
                .filter(thread -> OURS.matcher(thread).find())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @SuppressWarnings("unchecked")
    private static Stream<Thread> livingThreads() {
        try {
            Object root = Class.forName("jdk.internal.vm.ThreadContainers")
                    .getMethod("root")
                    .invoke(null);
            Method threads = Class.forName("jdk.internal.vm.ThreadContainer").getMethod("threads");
            return (Stream<Thread>) threads.invoke(root);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("run tests with --add-exports=java.base/jdk.internal.vm=ALL-UNNAMED", e);
        }
    }

    /** The number of sockets of this process, bound or not; 0 where the operating system does not report it. */
    public static int socketCount() throws IOException {
        Path descriptors = Path.of("/proc/self/fd");
        return Files.isDirectory(descriptors) ? inodes(descriptors).size() : 0;
    }

    /** This process's lines of the kernel's socket tables, where the operating system has such. */
    private static Set<String> sockets() throws IOException {
        Set<String> own = new TreeSet<>();
        Path descriptors = Path.of("/proc/self/fd");
        if (!Files.isDirectory(descriptors)) {
            return own;
        }
        Set<String> inodes = inodes(descriptors);
        for (String table : new String[] {"/proc/self/net/tcp", "/proc/self/net/tcp6"}) {
            if (Files.exists(Path.of(table))) {
                for (String line : Files.readAllLines(Path.of(table))) {
                    String[] columns = line.strip().split("\\s+", -1);
                    if (inodes.contains(columns[9])) {
                        own.add("socket " + columns[9] + ": " + columns[1] + " to " + columns[2] + " state "
                                + columns[3]);
                    }
                }
            }
        }
        return own;
    }

    private static Set<String> inodes(Path descriptors) throws IOException {
        Set<String> inodes = new TreeSet<>();
        try (Stream<Path> files = Files.list(descriptors)) {
            for (Path file : files.toList()) {
                String target = target(file);
                if (target.startsWith("socket:[")) {
                    inodes.add(target.substring("socket:[".length(), target.length() - 1));
                }
            }
        }
        return inodes;
    }

    /** The file behind a descriptor; empty if another thread has closed the descriptor since it was listed. */
    private static String target(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (NoSuchFileException closedMeanwhile) {
            return "";
        }
    }
}
