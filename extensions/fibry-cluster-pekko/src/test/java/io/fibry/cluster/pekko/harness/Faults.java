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

/** The faults of a round, in a file. For one thread. */
final class Faults {

    /** What an entity had accepted this long before a fault may still wait in its mailbox. */
    private static final Duration BEFORE = Duration.ofSeconds(2);

    /** The parent learns of what it waits for a little later; and what is on the way then may be lost. */
    private static final Duration AFTER = Duration.ofSeconds(1);

    private final Path file;
    private final List<Fault> faults = new ArrayList<>();

    Faults(Path file) {
        this.file = file;
    }

    /** Notes a fault; until {@link #end}, it excuses what gets lost. */
    void begin(String node, String what, long time) {
        faults.add(new Fault(time, node, what, time - BEFORE.toNanos(), Long.MAX_VALUE, 0));
        write();
    }

    /** Notes that the node wakes now. */
    void wake(String node) {
        long now = System.nanoTime();
        faults.replaceAll(fault -> isOpen(fault, node)
                ? new Fault(fault.time(), node, fault.what(), fault.from(), fault.until(), now)
                : fault);
        write();
    }

    /** Notes that the others know of the fault now, and the node too, so that nothing more may be lost because of it. */
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
