package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.cluster.ClusterOptions;
import io.fibry.cluster.Member.State;
import io.fibry.cluster.pekko.Membership.View;
import io.fibry.cluster.pekko.harness.Ports;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.Props;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.ClusterEvent.ClusterDomainEvent;
import org.apache.pekko.cluster.ClusterEvent.MemberDowned;
import org.apache.pekko.cluster.ClusterEvent.MemberJoined;
import org.apache.pekko.cluster.ClusterEvent.MemberRemoved;
import org.apache.pekko.cluster.ClusterEvent.MemberUp;
import org.apache.pekko.cluster.ClusterEvent.ReachableMember;
import org.apache.pekko.cluster.ClusterEvent.UnreachableMember;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.UniqueAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The view of a node corresponds to the events so far. If a view is not published, the test times out. */
@Timeout(120)
class MembershipTest {

    private static final String OTHER = "10.0.0.1"; // the lowest address, which breaks ties

    private final LinkedBlockingQueue<View> views = new LinkedBlockingQueue<>();

    /** The test creates the events of the other node, which is unknown to the rest of this process, including Pekko. */
    @Test
    void aViewIsMadeFromTheEventsAlone() throws Exception {
        int port = Ports.free("127.0.0.1");
        try (var node = PekkoCluster.join(ClusterOptions.of("alone", "127.0.0.1", port, "127.0.0.1:" + port))) {
            Member self = Cluster.get(node.pekko()).selfMember();
            ActorRef membership = node.pekko()
                    .actorOf(Props.create(
                            Membership.class,
                            () -> new Membership(views::add, event -> {}, new TakeoverBarrier(Duration.ZERO))));
            await(view -> view.selfIsUp() && view.hasMajority());
            tell(membership, new MemberJoined(other(MemberStatus.joining(), self)));
            await(view -> has(view, State.JOINING));
            tell(membership, new MemberUp(other(MemberStatus.up(), self)));
            await(view -> has(view, State.UP));
            tell(membership, new UnreachableMember(other(MemberStatus.up(), self)));
            await(view -> has(view, State.UNREACHABLE) && !view.hasMajority());
            tell(membership, new ReachableMember(other(MemberStatus.up(), self)));
            await(view -> has(view, State.UP) && view.hasMajority());
            tell(membership, new MemberDowned(other(MemberStatus.down(), self)));
            await(view -> has(view, State.DOWN));
            tell(membership, new MemberRemoved(other(MemberStatus.removed(), self), MemberStatus.down()));
            await(view -> view.members().size() == 1 && view.hasMajority());
        }
    }

    /** A node that joins while another one is removed may not have seen that it was down. */
    @Test
    void theRemovalOfAMemberThatWasNotSeenDownIsATakeover() throws Exception {
        int port = Ports.free("127.0.0.1");
        try (var node = PekkoCluster.join(ClusterOptions.of("alone", "127.0.0.1", port, "127.0.0.1:" + port))) {
            Member self = Cluster.get(node.pekko()).selfMember();
            var takeover = new TakeoverBarrier(Duration.ofHours(1));
            ActorRef membership = node.pekko()
                    .actorOf(Props.create(Membership.class, () -> new Membership(views::add, event -> {}, takeover)));
            tell(membership, new MemberUp(other(MemberStatus.up(), self)));
            await(view -> has(view, State.UP));
            tell(membership, new MemberRemoved(other(MemberStatus.removed(), self), MemberStatus.exiting()));
            await(view -> !has(view, State.UP));
            assertFalse(takeover.isUnderWay());
            tell(membership, new MemberUp(other(MemberStatus.up(), self)));
            await(view -> has(view, State.UP));
            tell(membership, new MemberRemoved(other(MemberStatus.removed(), self), MemberStatus.up()));
            await(view -> !has(view, State.UP));
            assertTrue(takeover.isUnderWay());
        }
    }

    private static void tell(ActorRef membership, ClusterDomainEvent event) {
        membership.tell(event, ActorRef.noSender());
    }

    private void await(Predicate<View> wanted) throws InterruptedException {
        View view = views.take();
        while (!wanted.test(view)) {
            view = views.take();
        }
    }

    private static boolean has(View view, State state) {
        return view.members().stream().anyMatch(member -> member.host().equals(OTHER) && member.state() == state);
    }

    private static Member other(MemberStatus status, Member like) {
        var address = new UniqueAddress(new Address("pekko", "alone", OTHER, 7001), 5L);
        return new Member(address, 2, status, like.roles(), like.appVersion());
    }
}
