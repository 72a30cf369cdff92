package io.fibry.cluster.pekko;

import io.fibry.ActorStoppedException;
import io.fibry.cluster.Member;
import io.fibry.cluster.NoMajorityException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The membership of this node, from its join until it has left the cluster or has been removed from it: whether it may
 * send messages, and the futures of its join and its removal.
 */
final class NodeStatus {

    private final Fence fence;
    private final ClusterCounters counts;
    private final CompletableFuture<@Nullable Void> member = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Void> established = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Void> removed = new CompletableFuture<>();
    private final AtomicBoolean expelled = new AtomicBoolean();
    private volatile Membership.View view = Membership.View.NONE;
    private volatile boolean closed;
    private volatile @Nullable String stopReason;

    NodeStatus(Fence fence, ClusterCounters counts) {
        this.fence = fence;
        this.counts = counts;
    }

    void update(Membership.View now) {
        view = now;
        if (now.selfIsUp() && now.hasMajority()) {
            member.complete(null);
        }
    }

    List<Member> members() {
        return view.members();
    }

    /**
     * Returns a future that completes when this node is a member of an established cluster and a majority has confirmed
     * it.
     */
    CompletableFuture<?> joined() {
        return CompletableFuture.allOf(member, established, fence.opened());
    }

    /** Is completed by the {@link SeedActor}. */
    CompletableFuture<@Nullable Void> established() {
        return established;
    }

    /** Marks this node as leaving, after a close or at JVM exit. */
    void leave() {
        if (!expelled.get()) {
            closed = true;
        }
    }

    /** Marks this node as removed from the cluster, and closes its fence. Returns false if it is already removed. */
    boolean expel() {
        boolean first = expelled.compareAndSet(false, true);
        if (first) {
            fence.close();
        }
        return first;
    }

    /** Returns whether this node can reach the majority, and no member is unreachable or leaves. */
    boolean isSettled() {
        return !closed
                && !expelled.get()
                && view.hasMajority()
                && view.members().stream()
                        .allMatch(
                                member -> member.state() == Member.State.UP || member.state() == Member.State.JOINING);
    }

    /** Returns whether this node is a member, and a majority has confirmed that recently. */
    boolean isConfirmed() {
        return !closed && !expelled.get() && member.isDone() && view.hasMajority() && fence.isOpen();
    }

    /** Records the reason of a removal by this node itself. */
    void stopsBecause(String reason) {
        stopReason = reason;
    }

    /** Returns the reason of a removal by this node itself; null if there is none. */
    @Nullable
    String stopReason() {
        return stopReason;
    }

    boolean isLeaving() {
        return closed;
    }

    boolean isExpelled() {
        return expelled.get();
    }

    /** Completes {@link #removed}, after the end of the entities. */
    void end() {
        removed.complete(null);
    }

    CompletableFuture<@Nullable Void> removed() {
        return removed;
    }

    void checkOpen() {
        if (closed || expelled.get()) {
            throw new IllegalStateException("this node has left the cluster");
        }
    }

    /** Throws an exception if this node has left the cluster, or cannot reach the majority. */
    void checkMajority() {
        if (closed) {
            throw new ActorStoppedException("this node has left the cluster", null);
        }
        if (expelled.get()) {
            throw new NoMajorityException("this node has been removed from the cluster");
        }
        if (!view.hasMajority() || !fence.isOpen()) {
            counts.refused();
            throw new NoMajorityException("this node cannot reach the majority of the cluster");
        }
    }
}
