package io.fibry.cluster.pekko;

import io.fibry.cluster.pekko.Fence.Moment;
import io.fibry.cluster.pekko.Packet.Ping;
import io.fibry.cluster.pekko.Packet.Pong;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.actor.AbstractActorWithTimers;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;

/** Asks the other nodes whether this node is still a member, and answers their questions. See {@link Fence}. */
final class FenceActor extends AbstractActorWithTimers {

    static final String NAME = "fibry-fence";

    private static final Duration TICK = Duration.ofMillis(100);

    private enum Tick {
        TICK
    }

    private final Fence fence;
    private final AtomicLong roundTrip;
    private final Cluster cluster = Cluster.get(getContext().getSystem());
    private final ExtendedActorSystem system =
            (ExtendedActorSystem) getContext().getSystem();

    private final long self = cluster.selfUniqueAddress().longUid();

    /** By identity of a node: the send time of the latest question that the node has answered with yes. */
    private final Map<Long, Moment> answered = new HashMap<>();

    /** @param roundTrip receives the time of each round trip to another node, in nanoseconds */
    FenceActor(Fence fence, AtomicLong roundTrip) {
        this.fence = fence;
        this.roundTrip = roundTrip;
        getTimers().startTimerWithFixedDelay(Tick.TICK, Tick.TICK, TICK);
    }

    @Override
    public Receive createReceive() {
        return receiveBuilder()
                .match(Tick.class, tick -> ask())
                .match(Ping.class, this::answer)
                .match(Pong.class, this::answered)
                .build();
    }

    private void ask() {
        Moment now = Moment.now();
        Quorum voters = voters();
        answered.keySet().removeIf(id -> voters.andJoining().stream().noneMatch(member -> id(member) == id));
        for (Member member : voters.andJoining()) {
            if (id(member) == self) {
                answered.put(self, now);
            } else {
                other(member).tell(new Ping(self, now), self());
            }
        }
        confirm(voters);
    }

    private Quorum voters() {
        return Quorum.of(cluster.state().getMembers());
    }

    private static long id(Member member) {
        return member.uniqueAddress().longUid();
    }

    private ActorRef other(Member member) {
        return system.provider().resolveActorRef(member.address() + "/user/" + NAME);
    }

    private void answer(Ping ping) {
        boolean member = false;
        for (Member m : cluster.state().getMembers()) {
            member |= id(m) == ping.asker() && m.status() != MemberStatus.down();
        }
        sender().tell(new Pong(self, ping.sentAt(), member), self());
    }

    private void answered(Pong pong) {
        roundTrip.setOpaque(System.nanoTime() - pong.sentAt().nanos());
        if (pong.member()) {
            answered.merge(pong.answerer(), pong.sentAt(), (a, b) -> a.isAfter(b) ? a : b);
            if (!fence.isOpen()) { // otherwise the next tick confirms
                confirm(voters());
            }
        } else if (answered.containsKey(pong.answerer())) { // it has answered yes before
            answered.clear();
            fence.revoke();
        }
    }

    /** Passes the latest time that a majority has confirmed to the fence. */
    private void confirm(Quorum voters) {
        Moment newest = null;
        for (Moment at : answered.values()) {
            if ((newest == null || at.isAfter(newest)) && voters.isMajority(member -> hasAnswered(member, at))) {
                newest = at;
            }
        }
        if (newest != null) {
            fence.confirm(newest);
        }
    }

    /** Returns whether the member has answered yes to a question of the given time or later. */
    private boolean hasAnswered(Member member, Moment at) {
        Moment last = answered.get(id(member));
        return last != null && !at.isAfter(last);
    }
}
