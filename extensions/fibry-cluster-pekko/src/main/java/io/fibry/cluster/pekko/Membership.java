package io.fibry.cluster.pekko;

import static org.apache.pekko.cluster.ClusterEvent.getClusterShuttingDownInstance;
import static org.apache.pekko.cluster.ClusterEvent.initialStateAsEvents;

import io.fibry.cluster.ClusterEvent;
import io.fibry.cluster.Member;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.ClusterEvent.ClusterDomainEvent;
import org.apache.pekko.cluster.ClusterEvent.MemberDowned;
import org.apache.pekko.cluster.ClusterEvent.MemberEvent;
import org.apache.pekko.cluster.ClusterEvent.MemberRemoved;
import org.apache.pekko.cluster.ClusterEvent.ReachableMember;
import org.apache.pekko.cluster.ClusterEvent.UnreachableMember;
import org.apache.pekko.cluster.MemberStatus;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the members of the cluster, and notifies the node of changes. It keeps its own copy of the membership: Pekko's
 * {@link Cluster#state} is maintained by another actor, which may handle an event later than this actor. The state
 * could then be stale at the last event, and nothing would trigger another read.
 */
final class Membership extends AbstractActor {

    /**
     * The view that a node has of the cluster.
     *
     * @param members sorted by address
     * @param hasMajority whether this node can reach a majority
     * @param selfIsUp whether this node is a full member
     * @param selfIsDown whether it has learned of its own removal
     */
    record View(List<Member> members, boolean hasMajority, boolean selfIsUp, boolean selfIsDown) {
        static final View NONE = new View(List.of(), false, false, false);

        /** Returns the identities of the members that this node cannot reach, and of those that will be removed. */
        Set<Long> absent() {
            return members.stream()
                    .filter(member -> member.state() == Member.State.UNREACHABLE || member.state() == Member.State.DOWN)
                    .map(Member::id)
                    .collect(Collectors.toSet());
        }

        Set<Long> ids() {
            return members.stream().map(Member::id).collect(Collectors.toSet());
        }
    }

    private static final Comparator<Member> BY_ADDRESS =
            Comparator.comparing(Member::host).thenComparingInt(Member::port);

    private final Cluster cluster = Cluster.get(getContext().getSystem());
    private final Consumer<View> onView;
    private final Consumer<ClusterEvent> onEvent;
    private final TakeoverBarrier takeover;
    private final Set<org.apache.pekko.cluster.Member> members = new HashSet<>();
    private final Set<org.apache.pekko.cluster.Member> unreachable = new HashSet<>();
    private boolean ended;
    private Map<Long, Member> known = new HashMap<>();

    Membership(Consumer<View> onView, Consumer<ClusterEvent> onEvent, TakeoverBarrier takeover) {
        this.onView = onView;
        this.onEvent = onEvent;
        this.takeover = takeover;
    }

    @Override
    public void preStart() {
        cluster.subscribe(self(), initialStateAsEvents(), ClusterDomainEvent.class);
    }

    @Override
    public void postStop() {
        cluster.unsubscribe(self());
    }

    @Override
    public Receive createReceive() {
        return receiveBuilder()
                .match(ClusterDomainEvent.class, event -> {
                    note(event);
                    look();
                })
                .build();
    }

    private void note(ClusterDomainEvent event) {
        switch (event) {
            case MemberRemoved gone -> {
                members.remove(gone.member());
                unreachable.remove(gone.member());
                if (gone.previousStatus() != MemberStatus.exiting()) { // up: this node has not seen that it was down
                    takeover.removed(gone.member().uniqueAddress().longUid());
                }
            }
            case MemberEvent changed -> {
                members.remove(changed.member()); // an equal member with the previous status
                members.add(changed.member());
                if (changed instanceof MemberDowned) {
                    takeover.down(changed.member().uniqueAddress().longUid());
                }
            }
            case UnreachableMember lost -> unreachable.add(lost.member());
            case ReachableMember found -> unreachable.remove(found.member());
            default -> {
                if (event == getClusterShuttingDownInstance()) {
                    ended = true;
                    members.clear();
                }
            }
        }
    }

    private void look() {
        Map<Long, Member> now = new HashMap<>();
        for (var member : members) {
            Member.@Nullable State s = state(member, unreachable);
            if (s != null) {
                now.put(member.uniqueAddress().longUid(), member(member, s));
            }
        }
        publish(now);
        known = now;
        List<Member> sorted = new ArrayList<>(now.values());
        sorted.sort(BY_ADDRESS);
        boolean majority = Quorum.of(members).isMajority(member -> !unreachable.contains(member));
        Member self = now.get(cluster.selfUniqueAddress().longUid());
        boolean selfIsUp = self != null && self.state() == Member.State.UP;
        boolean selfIsDown = ended || (self != null && self.state() == Member.State.DOWN);
        onView.accept(new View(List.copyOf(sorted), majority, selfIsUp, selfIsDown));
    }

    private void publish(Map<Long, Member> now) {
        now.forEach((id, member) -> {
            if (!member.equals(known.get(id))) {
                onEvent.accept(new ClusterEvent.MemberChanged(member));
            }
        });
        known.forEach((id, member) -> {
            if (!now.containsKey(id)) {
                onEvent.accept(new ClusterEvent.MemberRemoved(member));
            }
        });
    }

    /** Returns the state of a member, or null if it is no longer a member. */
    private static Member.@Nullable State state(
            org.apache.pekko.cluster.Member member, Set<org.apache.pekko.cluster.Member> unreachable) {
        MemberStatus status = member.status();
        if (status == MemberStatus.down()) {
            return Member.State.DOWN;
        } else if (status == MemberStatus.removed()) {
            return null;
        } else if (unreachable.contains(member)) {
            return Member.State.UNREACHABLE;
        } else if (status == MemberStatus.leaving() || status == MemberStatus.exiting()) {
            return Member.State.LEAVING;
        } else if (status == MemberStatus.up()) {
            return Member.State.UP;
        }
        return Member.State.JOINING;
    }

    /** Returns this node as one of the members; with the state {@code DOWN} if it is none of them. */
    static Member self(Cluster cluster, List<Member> members) {
        long id = cluster.selfUniqueAddress().longUid();
        return members.stream()
                .filter(member -> member.id() == id)
                .findFirst()
                .orElseGet(() -> member(cluster.selfMember(), Member.State.DOWN));
    }

    static Member member(org.apache.pekko.cluster.Member member, Member.State state) {
        var address = member.address();
        return new Member(
                address.getHost().orElse("?"),
                address.getPort().orElse(0),
                member.uniqueAddress().longUid(),
                state);
    }
}
