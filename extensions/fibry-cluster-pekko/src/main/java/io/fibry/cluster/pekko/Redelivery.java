package io.fibry.cluster.pekko;

import io.fibry.cluster.pekko.Packet.Published;
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
 * <p>Messages to the entities of an absent node, which is unreachable or about to be removed, are held. They are sent
 * in the order in which they arrived here: when the node is reachable again, or the {@link Timing#margin} after its
 * removal. No other node may own its shards before, and until then a region may still send messages to the removed one.
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

    /** A message that waits for its next attempt. */
    private record Waiting(ToEntity packet, ActorRef asker) {}

    /** Requests the redelivery of a message. */
    record Undelivered(ToEntity packet) {}

    /** Requests to hold a message, whose owner is absent. */
    record Held(long owner, ToEntity packet) {}

    /** Requests to send the messages that are held for a node. */
    private record Release(long node) {}

    /** Reports which members are absent, after a change, and all members. */
    record Absent(Set<Long> nodes, Set<Long> members) {}

    private final RedeliveryBuffer buffer;
    private final ShardRegions regions;
    private final NodeStatus status;
    private final ClusterCounters counts;
    private final Duration margin;
    private final Map<Long, List<ToEntity>> held = new HashMap<>(); // by absent node
    private Set<Long> absent = Set.of();
    private final Set<String> watched = new HashSet<>();
    private final Set<String> ended = new HashSet<>(); // types whose region has ended on this node
    private final Cluster cluster = Cluster.get(getContext().getSystem());
    private final ExtendedActorSystem system =
            (ExtendedActorSystem) getContext().getSystem();

    Redelivery(
            RedeliveryBuffer buffer, ShardRegions regions, NodeStatus status, ClusterCounters counts, Duration margin) {
        this.buffer = buffer;
        this.regions = regions;
        this.status = status;
        this.counts = counts;
        this.margin = margin;
    }

    @Override
    public void preStart() {
        system.eventStream().subscribe(self(), AllDeadLetters.class);
        system.eventStream().subscribe(self(), UnhandledMessage.class);
    }

    @Override
    public void postStop() {
        for (List<ToEntity> waiting : held.values()) {
            for (ToEntity packet : waiting) {
                buffer.remove(packet);
                if (!packet.isLate()) {
                    counts.lost();
                }
            }
        }
        buffer.holdFor(Set.of());
    }

    @Override
    public Receive createReceive() {
        return receiveBuilder()
                .match(Waiting.class, this::resend)
                .match(Held.class, this::hold)
                .match(Absent.class, this::absent)
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

    private void absent(Absent now) {
        absent = now.nodes();
        absent.forEach(node -> held.computeIfAbsent(node, n -> new ArrayList<>()));
        buffer.holdFor(held.keySet());
        for (long node : held.keySet()) {
            if (!absent.contains(node)) {
                Duration pause = now.members().contains(node) ? Duration.ZERO : margin;
                system.scheduler().scheduleOnce(pause, self(), new Release(node), system.dispatcher(), self());
            }
        }
    }

    /** Sends the held messages. Meanwhile more messages may arrive, so the node is released when none is left. */
    private void release(Release release) {
        List<ToEntity> waiting = held.get(release.node());
        if (waiting == null || absent.contains(release.node())) {
            return;
        }
        if (waiting.isEmpty()) {
            held.remove(release.node());
            buffer.holdFor(held.keySet());
            return;
        }
        held.put(release.node(), new ArrayList<>());
        for (ToEntity packet : waiting) {
            buffer.remove(packet);
            send(packet);
        }
        self().tell(release, self());
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
        if (message instanceof Published) {
            counts.lost();
            return;
        }
        if (!(message instanceof ToEntity packet) || !packet.isUndelivered()) {
            return;
        }
        if (packet.isLate() || packet.kind == ToEntity.Kind.START) {
            return; // its asker has timed out, or it is sent again in any case
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
        if (region != null && !status.isLeaving() && !ended.contains(type)) {
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
