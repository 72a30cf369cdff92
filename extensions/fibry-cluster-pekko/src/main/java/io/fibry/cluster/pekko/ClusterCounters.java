package io.fibry.cluster.pekko;

import java.util.concurrent.atomic.AtomicLong;

/** The counters of a node. */
final class ClusterCounters {
    final AtomicLong moved = new AtomicLong();
    final AtomicLong resent = new AtomicLong();
    final AtomicLong refused = new AtomicLong();
    final AtomicLong lost = new AtomicLong();

    void refused() {
        refused.incrementAndGet();
    }

    void lost() {
        lost.incrementAndGet();
    }
}
