package io.fibry.cluster.pekko;

import io.fibry.cluster.NoMajorityException;

/**
 * The waits of an entity before it begins a message. A message whose wait fails counts as lost, unless it is stored.
 */
final class Fencing {

    private final Fence fence;
    private final TakeoverBarrier takeover;
    private final ClusterCounters counts;

    Fencing(Fence fence, TakeoverBarrier takeover, ClusterCounters counts) {
        this.fence = fence;
        this.takeover = takeover;
        this.counts = counts;
    }

    /** Returns whether a message may begin now. */
    boolean isOpen() {
        return fence.isOpen();
    }

    /** Waits until a message may begin. */
    void pass() throws InterruptedException {
        try {
            fence.pass();
        } catch (InterruptedException | NoMajorityException e) {
            counts.lost();
            throw e;
        }
    }

    /** Waits until a stored message may begin. It stays stored if the wait fails, so it does not count as lost. */
    void passStored() throws InterruptedException {
        fence.pass();
    }

    /**
     * Waits until it is certain whether this node owns its entities, and returns whether it does. Returns false at an
     * interrupt, and keeps the interrupt status.
     */
    boolean ownsAtEnd() {
        try {
            fence.pass();
            return true;
        } catch (NoMajorityException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns whether a shard that this node receives now must wait. */
    boolean isTakeover() {
        return takeover.isUnderWay();
    }

    /** Waits until a message to an entity of a removed node may begin. */
    void awaitTakeover() throws InterruptedException {
        try {
            takeover.await();
        } catch (InterruptedException e) {
            counts.lost();
            throw e;
        }
    }
}
