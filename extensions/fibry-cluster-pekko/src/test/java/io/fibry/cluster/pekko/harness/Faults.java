package io.fibry.cluster.pekko.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The faults of a round, in a file. Not thread-safe. */
final class Faults {

    /** The time before a fault within which accepted messages may still wait in a mailbox. */
    private static final Duration BEFORE = Duration.ofSeconds(2);

    /**
     * The time after a fault within which messages may be lost: the parent notices the end of the fault with a delay,
     * and messages in transit may be lost.
     */
    private static final Duration AFTER = Duration.ofSeconds(1);

    private final Path file;
    private final List<Fault> faults = new ArrayList<>();

    Faults(Path file) {
        this.file = file;
    }

    /** Records a fault, which excuses losses until {@link #end}. */
    void begin(String node, String what, long time) {
        faults.add(new Fault(time, node, what, time - BEFORE.toNanos(), Long.MAX_VALUE, 0));
        write();
    }

    /** Records that the node resumes now. */
    void wake(String node) {
        long now = System.nanoTime();
        faults.replaceAll(fault -> isOpen(fault, node)
                ? new Fault(fault.time(), node, fault.what(), fault.from(), fault.until(), now)
                : fault);
        write();
    }

    /** Records that all nodes, including the faulty one, now know of the fault. It excuses no further losses. */
    void end(String node) {
        long until = System.nanoTime() + AFTER.toNanos();
        faults.replaceAll(fault -> isOpen(fault, node)
                ? new Fault(fault.time(), node, fault.what(), fault.from(), until, fault.wake())
                : fault);
        write();
    }

    private static boolean isOpen(Fault fault, String node) {
        return fault.node().equals(node) && fault.until() == Long.MAX_VALUE;
    }

    private void write() {
        try {
            Files.writeString(file, faults.stream().map(Fault::line).collect(Collectors.joining()), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
