package io.fibry.cluster.pekko;

import io.fibry.cluster.Member.State;
import io.fibry.cluster.pekko.Packet.Shards;
import io.fibry.cluster.pekko.Packet.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.pekko.actor.AbstractActorWithTimers;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.Member;

/**
 * Announces the types and shards of this node to the other nodes, and starts a region for each type that another node
 * hosts. A type thus has a region on every node, including the oldest one, on which Pekko runs the coordinator of all
 * types.
 */
final class TypeActor extends AbstractActorWithTimers {

    static final String NAME = "fibry-types";

    private static final Duration TICK = Duration.ofMillis(200);

    /** The number of announcements of types for each announcement of shards, which is larger. */
    private static final int PER_SHARDS = 5;

    /** Requests an announcement, at regular intervals and after a registration. */
    enum Announce {
        ANNOUNCE
    }

    private final TypeDirectory directory;
    private final ShardRegions regions;
    private final RedeliveryBuffer buffer;
    private int announcements;
    private final Cluster cluster = Cluster.get(getContext().getSystem());
    private final ExtendedActorSystem system =
            (ExtendedActorSystem) getContext().getSystem();

    TypeActor(TypeDirectory directory, ShardRegions regions, RedeliveryBuffer buffer) {
        this.directory = directory;
        this.regions = regions;
        this.buffer = buffer;
        getTimers().startTimerWithFixedDelay(Announce.ANNOUNCE, Announce.ANNOUNCE, TICK);
    }

    @Override
    public Receive createReceive() {
        return receiveBuilder()
                .match(Announce.class, announce -> announce())
                .match(Types.class, this::announced)
                .match(Shards.class, this::announced)
                .build();
    }

    private void announce() {
        recordMembers();
        List<Packet> own = new ArrayList<>();
        if (announcements++ % PER_SHARDS == 0) {
            List<Shards> owned = regions.owned(cluster.selfUniqueAddress().longUid());
            owned.forEach(directory.moves()::announced);
            own.addAll(owned);
        }
        own.add(directory.announcement());
        Set<Long> nodes = new HashSet<>();
        for (Member member : cluster.state().getMembers()) {
            if (!member.uniqueAddress().equals(cluster.selfUniqueAddress())) {
                nodes.add(member.uniqueAddress().longUid());
                ActorRef other = system.provider().resolveActorRef(member.address() + "/user/" + NAME);
                own.forEach(packet -> other.tell(packet, self()));
            }
        }
        nodes.addAll(buffer.heldFor()); // the messages are held according to the shards of removed nodes
        directory.retain(nodes);
    }

    private void recordMembers() {
        List<ShardMoves.Node> nodes = new ArrayList<>();
        for (Member member : cluster.state().getMembers()) {
            nodes.add(new ShardMoves.Node(
                    member.uniqueAddress().longUid(),
                    Membership.member(member, State.UP).address()));
        }
        directory.moves().members(nodes);
    }

    private void announced(Shards shards) {
        directory.announced(shards);
        if (!directory.moves().isMember(shards.node())) {
            recordMembers(); // it may have joined since the last announcement of this node
        }
        directory.moves().announced(shards);
    }

    private void announced(Types types) {
        directory.announced(types);
        types.hosted().forEach(regions::start);
    }
}
