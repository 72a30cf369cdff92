package io.fibry.cluster.pekko;

import io.fibry.cluster.pekko.Packet.Contact;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.pekko.actor.AbstractActorWithTimers;
import org.apache.pekko.actor.Address;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.jspecify.annotations.Nullable;

/**
 * Finds the cluster through its seeds, or forms it.
 *
 * <p><b>Finding.</b> Every node contacts all seeds several times per second. A node that is not a member joins the
 * cluster of a node that it has heard from, if there are several, the oldest one that is established. A seed that
 * restarts is contacted by the members, and therefore finds the cluster even if it is the only seed in its list.
 *
 * <p><b>Forming.</b> If no seed is a member, the seed with the lowest address forms the cluster, after a majority of
 * the seeds has been present for {@link #SETTLING}. The cluster is <i>established</i> when a majority of the seeds are
 * full members. {@code join} returns after that, and a node owns no entities before. Two majorities of the seeds have a
 * seed in common, and a seed is a member of one cluster only. Therefore two clusters with the same list of seeds cannot
 * both be established, unless a seed restarts while the network is partitioned.
 *
 * <p><b>Meeting.</b> If two clusters are established nevertheless, a contact between them shows it, and all nodes of
 * the younger cluster stop. The age depends on the clocks of the nodes that have formed the clusters.
 */
final class SeedActor extends AbstractActorWithTimers {

    static final String NAME = "fibry-seeds";

    private static final Duration TICK = Duration.ofMillis(300);

    /**
     * The time for which a majority of the seeds must be present without a member among them. The members of an
     * existing cluster reconnect to a restarted seed within this time: the longest pause between two attempts is five
     * times {@code outbound-restart-backoff} of {@code cluster.conf}.
     */
    private static final Duration SETTLING = Duration.ofSeconds(3);

    /** The age at which a contact no longer counts. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    /** The time after which an unsuccessful attempt to join is abandoned. */
    private static final Duration ATTEMPT = Duration.ofSeconds(10);

    private static final Set<MemberStatus> FULL = Set.of(MemberStatus.up(), MemberStatus.leaving());

    private enum Tick {
        TICK
    }

    /**
     * The identity of a cluster.
     *
     * @param id a random number
     * @param formedAt the wall-clock time at which it was formed
     */
    record Identity(long id, long formedAt) {
        static final Identity NONE = new Identity(0, 0);

        static Identity make() {
            return new Identity(ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE), System.currentTimeMillis());
        }

        boolean isOlderThan(Identity other) {
            return formedAt < other.formedAt || (formedAt == other.formedAt && id < other.id);
        }
    }

    private record Heard(Contact contact, long at) {
        boolean isFresh() {
            return System.nanoTime() - at < FRESH.toNanos();
        }
    }

    private final Seeds seeds;
    private final CompletableFuture<@Nullable Void> established;
    private final Runnable onOtherCluster;
    private final Cluster cluster = Cluster.get(getContext().getSystem());
    private final Address self = cluster.selfAddress();
    private final Map<Address, Heard> heard = new HashMap<>();

    private boolean isMember;

    /** The cluster that this node forms, joins, or is a member of. */
    private Identity identity = Identity.NONE;

    private boolean attempting;
    private long attemptAt;
    private boolean settling;
    private long settlingSince;

    /**
     * @param established is completed when the cluster of this node is established
     * @param onOtherCluster is called when this node belongs to the younger of two clusters, or to one that is not
     *     established while another one is
     */
    SeedActor(Seeds seeds, CompletableFuture<@Nullable Void> established, Runnable onOtherCluster) {
        this.seeds = seeds;
        this.established = established;
        this.onOtherCluster = onOtherCluster;
        getTimers().startTimerWithFixedDelay(Tick.TICK, Tick.TICK, TICK);
    }

    @Override
    public void preStart() {
        tick();
    }

    @Override
    public Receive createReceive() {
        return receiveBuilder()
                .match(Tick.class, tick -> tick())
                .match(Contact.class, this::contacted)
                .build();
    }

    private void tick() {
        Set<Address> members = new HashSet<>();
        for (Member member : cluster.state().getMembers()) {
            if (FULL.contains(member.status())) {
                members.add(member.address());
            }
        }
        isMember = members.contains(self);
        if (isMember && seeds.isMajority(members)) {
            established.complete(null);
        }
        for (Address seed : seeds.addresses()) {
            if (!seed.equals(self)) {
                contact(seed, false);
            }
        }
        if (members.isEmpty() && !isAttempting()) {
            joinOrForm();
        }
    }

    private void contact(Address node, boolean answer) {
        long id = cluster.selfUniqueAddress().longUid();
        Identity of = isMember ? identity : Identity.NONE;
        send(node, new Contact(id, of.id(), of.formedAt(), isMember && established.isDone(), answer));
    }

    /** Uses a selection, the only kind of message that Pekko sends to an address whose previous node is quarantined. */
    private void send(Address node, Contact contact) {
        getContext().actorSelection(node + "/user/" + NAME).tell(contact, self());
    }

    private boolean isAttempting() {
        return attempting && System.nanoTime() - attemptAt < ATTEMPT.toNanos();
    }

    private void attempt(Identity of) {
        identity = of;
        attempting = true;
        attemptAt = System.nanoTime();
    }

    private void joinOrForm() {
        heard.values().removeIf(h -> !h.isFresh());
        Contact best = heard.values().stream()
                .map(Heard::contact)
                .filter(contact -> contact.cluster() != 0)
                .min(Comparator.comparing((Contact contact) -> !contact.established())
                        .thenComparingLong(Contact::formedAt)
                        .thenComparingLong(Contact::cluster))
                .orElse(null);
        if (best != null) {
            attempt(identity(best));
            cluster.joinSeedNodes(members(identity));
        } else if (isToForm()) {
            attempt(Identity.make());
            cluster.join(self);
        }
    }

    private List<Address> members(Identity of) {
        return heard.entrySet().stream()
                .filter(entry -> identity(entry.getValue().contact()).equals(of))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static Identity identity(Contact contact) {
        return contact.cluster() == 0 ? Identity.NONE : new Identity(contact.cluster(), contact.formedAt());
    }

    /** Returns whether a majority of the seeds has been present long enough, and this one has the lowest address. */
    private boolean isToForm() {
        Set<Address> present = new HashSet<>(heard.keySet());
        present.add(self);
        boolean complete = seeds.isMajority(present) && self.equals(lowest(present));
        if (!complete) {
            settling = false;
        } else if (!settling) {
            settling = true;
            settlingSince = System.nanoTime();
        }
        return complete && System.nanoTime() - settlingSince >= SETTLING.toNanos();
    }

    private @Nullable Address lowest(Collection<Address> present) {
        return seeds.addresses().stream()
                .filter(present::contains)
                .min(Member.addressOrdering())
                .orElse(null);
    }

    private void contacted(Contact contact) {
        Address from = sender().path().address();
        heard.put(from, new Heard(contact, System.nanoTime()));
        if (!contact.answer()) {
            contact(from, true);
        }
        if (!contact.established() || contact.cluster() == 0 || !isMember) {
            return;
        }
        if (isFellow(contact.node())) {
            established.complete(null);
        } else if (!established.isDone() || identity(contact).isOlderThan(identity)) {
            pass(contact);
            onOtherCluster.run();
        }
    }

    private boolean isFellow(long node) {
        for (Member member : cluster.state().getMembers()) {
            if (member.uniqueAddress().longUid() == node) {
                return true;
            }
        }
        return false;
    }

    /** Passes the contact of an older cluster on to the other nodes of this one. */
    private void pass(Contact contact) {
        for (Member member : cluster.state().getMembers()) {
            if (!member.address().equals(self)) {
                send(member.address(), contact.asAnswer());
            }
        }
    }
}
