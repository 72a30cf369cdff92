package io.fibry.cluster.pekko;

import io.fibry.cluster.pekko.Packet.ToEntity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.AllDeadLetters;
import org.apache.pekko.actor.Dropped;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Terminated;
import org.apache.pekko.actor.UnhandledMessage;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;

/**
 * Sends again what Pekko could not deliver. Pekko drops the messages for a shard that is just moving, and reports each one as a dead letter
 * or an unhandled message. Nobody has handled such a message, so to send it again handles none twice. It may change the order.
 *
 * <p>A message goes by way of the region of this node, or of another node if this one is leaving. The first try is at once, and then each
 * pause is longer. What finds no owner within about half a minute is lost, and counted.
 */
final class Resender extends AbstractActor {

    private static final int MOST_TRIES = 40;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
    private static final int MOST_DOUBLINGS = 6;

    /** A message that waits for its next try. */
    private record Waiting(ToEntity packet, ActorRef sender) {}

    /** Asks this actor to send a message again. */
    record Undelivered(ToEntity packet, ActorRef sender) {}

    private final Regions regions;
    private final Counts counts;
    private final AtomicInteger backlog;
    private final Set<String> watched = new HashSet<>();
    private final Set<String> ended = new HashSet<>(); // types whose region has ended on this node
    private final Cluster cluster = Cluster.get(getContext().getSystem());

    /** @param backlog the number of messages that wait for a try; this actor counts it */
    Resender(Regions regions, Counts counts, AtomicInteger backlog) {
        this.regions = regions;
        this.counts = counts;
        this.backlog = backlog;
    }

    @Override
    public void preStart() {
        var events = getContext().getSystem().getEventStream();
        events.subscribe(self(), AllDeadLetters.class);
        events.subscribe(self(), UnhandledMessage.class);
    }

    @Override
    public Receive createReceive() {
        return receiveBuilder()
                .match(Waiting.class, this::resend)
                .match(Undelivered.class, m -> undelivered(m.packet(), m.sender()))
                .match(AllDeadLetters.class, letter -> undelivered(letter.message(), letter.sender()))
                .match(UnhandledMessage.class, m -> undelivered(m.message(), m.sender()))
                .match(Terminated.class, t -> ended.add(t.actor().path().name()))
                .build();
    }

    private void undelivered(Object message, ActorRef sender) {
        if (message instanceof Dropped dropped) { // a region drops what it keeps for a shard in an envelope of its own
            undelivered(dropped.message(), dropped.sender());
            return;
        }
        if (!(message instanceof ToEntity packet) || !packet.isUndelivered()) {
            return;
        }
        if (packet.resends >= MOST_TRIES) {
            counts.lost.incrementAndGet();
            return;
        }
        backlog.incrementAndGet();
        if (packet.resends == 0) { // at once: then few later messages are before it
            resend(new Waiting(packet, sender));
            return;
        }
        var system = getContext().getSystem();
        system.getScheduler()
                .scheduleOnce(pause(packet.resends), self(), new Waiting(packet, sender), system.dispatcher(), self());
    }

    private static Duration pause(int tries) {
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(tries, MOST_DOUBLINGS));
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }

    private void resend(Waiting waiting) {
        backlog.decrementAndGet();
        counts.resent.incrementAndGet();
        target(waiting.packet().type).tell(waiting.packet().again(), waiting.sender());
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
            return getContext().getSystem().deadLetters();
        }
        Member other = others.get(ThreadLocalRandom.current().nextInt(others.size()));
        String path = Regions.path(other.address().toString(), type);
        return ((ExtendedActorSystem) getContext().getSystem()).provider().resolveActorRef(path);
    }
}
