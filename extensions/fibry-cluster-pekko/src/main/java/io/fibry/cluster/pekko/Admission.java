package io.fibry.cluster.pekko;

import io.fibry.ActorStoppedException;
import io.fibry.cluster.Member;

/** Decides whether this node may send one more message to entities. */
final class Admission {

    private final NodeStatus status;
    private final TypeDirectory directory;
    private final RedeliveryBuffer buffer;
    private final ClusterCounters counts;

    Admission(NodeStatus status, TypeDirectory directory, RedeliveryBuffer buffer, ClusterCounters counts) {
        this.status = status;
        this.directory = directory;
        this.buffer = buffer;
        this.counts = counts;
    }

    /**
     * Returns whether this node has room for one more message to entities of the type. Throws an exception if it may
     * not send messages, or if no node hosts the type.
     */
    boolean accepts(String type) {
        status.checkMajority();
        checkHosted(type);
        boolean accepts = buffer.hasRoom();
        if (!accepts) {
            counts.refused();
        }
        return accepts;
    }

    private void checkHosted(String type) {
        if (directory.isHosted(type)) {
            return;
        }
        if (directory.knows(status.members().stream().map(Member::id).toList())) {
            counts.refused();
            throw new ActorStoppedException(
                    "no node of the cluster has entities of type " + type
                            + ": a node has to call ClusterSystem.entities(\"" + type + "\", ..)",
                    null);
        }
    }
}
