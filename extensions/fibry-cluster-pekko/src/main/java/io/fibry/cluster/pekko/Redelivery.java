package io.fibry.cluster.pekko;

import io.fibry.cluster.pekko.Packet.ToEntity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.AllDeadLetters;
import org.apache.pekko.actor.DeadLetter;
import org.apache.pekko.actor.Dropped;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Terminated;
import org.apache.pekko.actor.UnhandledMessage;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;

/**
 * Redelivers messages that Pekko could not deliver. Pekko drops messages for a shard during its move, and reports each
 * one as a dead letter or an unhandled message. Such a message has not been handled, so its redelivery does not handle
 * it twice. Redelivery may change the order of messages.
 *
 * <p>Messages to the entities of an unreachable node are held. After the node has been removed or is reachable again,
 * they are sent in the order in which they arrived here.
 *
 * <p>A message is sent through the region of this node, or through the region of another node if this node is leaving.
 * The first attempt is immediate, unless a queue was full; the pauses between further attempts increase. A message that
 * reaches no owner within about 30 seconds is dropped and counted as lost. An ask is dropped at its timeout.
 */
final class Redelivery extends AbstractActor {

    private static final int MOST_TRIES = 40;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
    private static final int MOST_DOUBLINGS = 6;

    /**
     * The time after which a region has forgotten the shards of a removed node. A message that is sent to that node
     * before would be redelivered, and lose its order.
     */
    private static final Duration FORGETTING = Duration.ofMillis(300);

    /** A message that waits for its next attempt. */
    private record Waiting(ToEntity packet, ActorRef asker) {}

    /** Requests the redelivery of a message. */
    record Undelivered(ToEntity packet) {}

    /** Requests to hold a message, whose owner is unreachable. */
    record Held(long owner, ToEntity packet) {}

    /** Requests to send the messages that are held for a node. */
    private record Release(long node) {}

    /** Reports which nodes are unreachable, after a change. */
    record Unreachable(Set<Long> nodes) {}

    private final RedeliveryBuffer buffer;
    private final ShardRegions regions;
    private final NodeStatus status;
    private final ClusterCounters counts;
    private final Map<Long, List<ToEntity>> held = new HashMap<>(); // by unreachable node
    private Set<Long> unreachable = Set.of();
    private final Set<String> watched = new HashSet<>();
    private final Set<String> ended = new HashSet<>(); // types whose region has ended on this node
    private final Cluster cluster = Cluster.get(getContext().getSystem());
    private final ExtendedActorSystem system =
            (ExtendedActorSystem) getContext().getSystem();

    Redelivery(RedeliveryBuffer buffer, ShardRegions regions, NodeStatus status, ClusterCounters counts) {
        this.buffer = buffer;
        this.regions = regions;
        this.status = status;
        this.counts = counts;
    }

    @Override
    public void preStart() {
        system.eventStream().subscribe(self(), AllDeadLetters.class);
        system.eventStream().subscribe(self(), UnhandledMessage.class);
    }

    @Override
    public void postStop() {
        held.values().forEach(waiting -> waiting.forEach(packet -> counts.lost()));
    }

    @Override
    public Receive createReceive() {
        return receiveBuilder()
                .match(Waiting.class, this::resend)
                .match(Held.class, this::hold)
                .match(Unreachable.class, this::unreachable)
                .match(Release.class, this::release)
                .match(Undelivered.class, m -> undelivered(m.packet(), true))
                .match(Dropped.class, this::dropped)
                .match(DeadLetter.class, this::letter)
                .match(UnhandledMessage.class, m -> undelivered(m.message(), true))
                .match(Terminated.class, t -> ended.add(t.actor().path().name()))
                .build();
    }

    private void hold(Held message) {
        List<ToEntity> waiting = held.get(message.owner());
        if (waiting != null) {
            buffer.add(message.packet());
            waiting.add(message.packet());
        } else { // the node has been removed or is reachable again
            send(message.packet());
        }
    }

    private void unreachable(Unreachable now) {
        unreachable = now.nodes();
        unreachable.forEach(node -> held.computeIfAbsent(node, n -> new ArrayList<>()));
        buffer.holdFor(held.keySet());
        for (long node : held.keySet()) {
            if (!unreachable.contains(node)) {
                system.scheduler().scheduleOnce(FORGETTING, self(), new Release(node), system.dispatcher(), self());
            }
        }
    }

    private void release(Release release) {
        if (unreachable.contains(release.node())) {
            return;
        }
        for (ToEntity packet : held.getOrDefault(release.node(), List.of())) {
            buffer.remove(packet);
            send(packet);
        }
        held.remove(release.node());
        buffer.holdFor(held.keySet());
    }

    private void send(ToEntity packet) {
        if (!packet.isLate()) {
            target(packet.type).tell(packet, asker(packet));
        }
    }

    /** Handles a message that a full queue dropped, or that a region dropped from its buffer for a shard. */
    private void dropped(Dropped dropped) {
        undelivered(dropped.message(), !dropped.reason().contains("overflow"));
    }

    /** Handles a dead letter. A region with a full buffer reports messages as sent by itself. */
    private void letter(DeadLetter letter) {
        if (letter.message() instanceof Dropped dropped) {
            dropped(dropped);
        } else {
            undelivered(letter.message(), letter.sender().path().name().equals(Answers.NAME));
        }
    }

    private void undelivered(Object message, boolean atOnce) {
        if (!(message instanceof ToEntity packet) || !packet.isUndelivered()) {
            return;
        }
        if (packet.isLate()) {
            return; // its asker has timed out
        }
        if (packet.resends >= MOST_TRIES || status.isExpelled()) {
            counts.lost();
            return;
        }
        var waiting = new Waiting(packet, asker(packet));
        buffer.add(packet);
        if (packet.resends == 0 && atOnce) { // few later messages can then overtake it
            resend(waiting);
            return;
        }
        system.scheduler().scheduleOnce(pause(packet.resends), self(), waiting, system.dispatcher(), self());
    }

    /**
     * Returns the recipient of the answer. It is read from the message, because the sender may be a region that has
     * buffered the message.
     */
    private ActorRef asker(ToEntity packet) {
        return packet.asker.isEmpty()
                ? ActorRef.noSender()
                : system.provider().resolveActorRef("pekko://" + packet.asker + "/user/" + Answers.NAME);
    }

    private static Duration pause(int tries) {
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(tries, MOST_DOUBLINGS));
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }

    private void resend(Waiting waiting) {
        buffer.remove(waiting.packet());
        counts.resent.incrementAndGet();
        target(waiting.packet().type).tell(waiting.packet().again(), waiting.asker());
    }

    private ActorRef target(String type) {
        ActorRef region = regions.of(type);
        if (region != null && !ended.contains(type)) {
            if (watched.add(type)) {
                getContext().watch(region);
            }
            return region;
        }
        List<Member> others = new ArrayList<>();
        for (Member member : cluster.state().getMembers()) {
            if (member.status() == MemberStatus.up() && !member.uniqueAddress().equals(cluster.selfUniqueAddress())) {
                others.add(member);
            }
        }
        if (others.isEmpty()) {
            return system.deadLetters();
        }
        Member other = others.get(ThreadLocalRandom.current().nextInt(others.size()));
        return system.provider()
                .resolveActorRef(ShardRegions.path(other.address().toString(), type));
    }
}
