package io.fibry.bench.latency;

import com.sun.management.OperatingSystemMXBean;
import io.fibry.bench.Heap;
import io.fibry.bench.peers.Peer;
import io.fibry.bench.peers.Receiver;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Many actors with a periodic timer each. They are created at a constant rate during two periods, so that their ticks
 * are spread evenly over the period.
 *
 * <p>The latency of a tick counts from its last due time. A tick that comes a period late or more thus looks less late
 * than it is, but is missing in the share of the ticks.
 */
final class Ticks {

    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final Object[] actors;
    private final long period;
    private final LongAdder total = new LongAdder(); // nanoseconds
    private volatile Latencies latencies = new Latencies();

    private Ticks(int actors, Duration period) {
        this.actors = new Object[actors];
        this.period = period.toNanos();
    }

    /**
     * In addition to the latencies, {@code mean} is their mean, {@code ticks} is the share of the due ticks that were
     * handled, {@code cores} the processor time per second, and {@code heap} the heap of an actor with its timer.
     */
    static List<Finding> measure(Peer peer, int actors, Duration period, Span span) {
        long before = Heap.used();
        var ticks = new Ticks(actors, period);
        peer.inside(() -> ticks.create(peer));
        sleep(span.warmUp().plus(period));
        List<Finding> found = ticks.measure(span);
        found.add(new Finding("heap", (double) (Heap.used() - before) / actors, "B/op"));
        for (Object actor : ticks.actors) {
            peer.stop(actor);
        }
        return found;
    }

    private void create(Peer peer) {
        long start = System.nanoTime();
        for (int i = 0; i < actors.length; i++) {
            long early = start + 2 * period * i / actors.length - System.nanoTime();
            if (early > 0) {
                LockSupport.parkNanos(early);
            }
            actors[i] = peer.periodicActor(Duration.ofNanos(period), this::actor);
        }
    }

    private Receiver actor() {
        long start = System.nanoTime();
        return tick -> handled(start);
    }

    private void handled(long start) {
        long now = System.nanoTime();
        long late = (now - start) % period;
        total.add(late);
        latencies.record(now - late);
    }

    private List<Finding> measure(Span span) {
        long startCpu = PROCESS.getProcessCpuTime();
        long start = System.nanoTime();
        total.reset();
        latencies = new Latencies();
        sleep(span.measured());
        Latencies measured = latencies;
        latencies = new Latencies();
        double nanos = System.nanoTime() - start;
        double due = actors.length * nanos / period;
        double cores = (PROCESS.getProcessCpuTime() - startCpu) / nanos;
        var found = new ArrayList<>(measured.findings(""));
        found.add(new Finding("mean", total.sum() / 1e3 / measured.count(), "us/op"));
        found.add(new Finding("ticks", 100 * measured.count() / due, "%"));
        found.add(new Finding("cores", cores, "#"));
        return found;
    }

    private static void sleep(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
