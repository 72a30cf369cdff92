package io.fibry.bench.durable;

import com.sun.management.OperatingSystemMXBean;
import io.fibry.bench.latency.Finding;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The processor time that this process and the processes of the database server have used until now, in nanoseconds.
 *
 * @param server 0 without a server
 */
record Processors(long self, long server) {

    private static final Path PROCESSES = Path.of("/proc");
    private static final long NANOS_PER_TICK = 10_000_000; // Linux reports hundredths of a second

    static Processors now(Database database) {
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long server = database instanceof Database.Postgres postgres ? NANOS_PER_TICK * ticks(postgres.server()) : 0;
        return new Processors(system.getProcessCpuTime(), server);
    }

    /** Returns the time of a process, its ended children and its living children. */
    private static long ticks(long process) {
        long children = ProcessHandle.of(process)
                .map(ProcessHandle::children)
                .orElseThrow(() -> new IllegalStateException("the server has ended"))
                .mapToLong(child -> ticks(PROCESSES.resolve(String.valueOf(child.pid()))))
                .sum();
        return children + ticks(PROCESSES.resolve(String.valueOf(process)));
    }

    private static long ticks(Path process) {
        try {
            String stat = Files.readString(process.resolve("stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return Arrays.stream(fields, 11, 15).mapToLong(Long::parseLong).sum(); // utime, stime, cutime, cstime
        } catch (IOException e) {
            return 0; // the process has ended
        }
    }

    /** Returns the time since an earlier moment as microseconds per operation. */
    List<Finding> since(Processors before, long operations) {
        var found = new ArrayList<Finding>();
        found.add(new Finding("cpu", (self - before.self) / 1e3 / operations, "us/op"));
        if (server > 0) {
            found.add(new Finding("serverCpu", (server - before.server) / 1e3 / operations, "us/op"));
        }
        return found;
    }
}
