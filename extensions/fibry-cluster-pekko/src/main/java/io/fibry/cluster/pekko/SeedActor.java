package io.fibry.cluster.pekko;

import io.fibry.cluster.pekko.Packet.Contact;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.apache.pekko.actor.AbstractActorWithTimers;
import org.apache.pekko.actor.Address;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.jspecify.annotations.Nullable;

/**
 * Finds the cluster, or forms it.
 *
 * <p><b>Finding.</b> Every node contacts the nodes of the {@link Formation} several times per second. A node that is
 * not a member joins the cluster of a node that it has heard from. If it has heard from several clusters, it joins the
 * oldest established one. A seed that restarts is contacted by the members, and therefore finds the cluster even if it
 * is the only seed in its list.
 *
 * <p><b>Forming.</b> If no node that it has heard from is a member, the {@link Formation} decides whether this node
 * forms the cluster. {@code join} returns when the cluster is established, and a node owns no entities before.
 *
 * <p><b>Meeting.</b> Two clusters of one name may have been established during a partition. When a node of the younger
 * one learns of the other, by a contact or from the {@link Formation}, all nodes of the younger one stop. The age
 * depends on the clocks of the nodes that have formed the clusters. Only members that a majority has recently confirmed
 * report an established cluster: a process that resumes after its cluster has ended must not stop the next one.
 */
final class SeedActor extends AbstractActorWithTimers {

    static final String NAME = "fibry-seeds";

    private static final Duration TICK = Duration.ofMillis(300);

    /** The age at which a contact no longer counts. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    /** The time after which an unsuccessful attempt to join is abandoned. */
    private static final Duration ATTEMPT = Duration.ofSeconds(10);

    private static final Set<MemberStatus> FULL = Set.of(MemberStatus.up(), MemberStatus.leaving());

    private enum Tick {
        TICK
    }

    private record Heard(Contact contact, long at) {
        boolean isFresh() {
            return System.nanoTime() - at < FRESH.toNanos();
        }
    }

    private final Formation formation;
    private final CompletableFuture<@Nullable Void> established;
    private final BooleanSupplier confirmed;
    private final Runnable onOtherCluster;
    private final Cluster cluster = Cluster.get(getContext().getSystem());
    private final Address self = cluster.selfAddress();
    private final Map<Address, Heard> heard = new HashMap<>();

    private boolean isMember;

    /** The cluster that this node forms, joins, or is a member of. */
    private ClusterIdentity identity = ClusterIdentity.NONE;

    private boolean attempting;
    private long attemptAt;

    /**
     * @param established is completed when the cluster of this node is established
     * @param confirmed returns whether a majority has recently confirmed that this node is a member
     * @param onOtherCluster is called when this node belongs to the younger of two clusters, or to one that is not
     *     established while another one is
     */
    SeedActor(
            Formation formation,
            CompletableFuture<@Nullable Void> established,
            BooleanSupplier confirmed,
            Runnable onOtherCluster) {
        this.formation = formation;
        this.established = established;
        this.confirmed = confirmed;
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
        if (isMember && formation.isEstablished(identity, members)) {
            established.complete(null);
        }
        if (isMember && formation.isSuperseded()) {
            onOtherCluster.run();
        }
        for (Address node : formation.contacts()) {
            if (!node.equals(self)) {
                contact(node, false);
            }
        }
        if (members.isEmpty() && !isAttempting()) {
            joinOrForm();
        }
    }

    private void contact(Address node, boolean answer) {
        long id = cluster.selfUniqueAddress().longUid();
        ClusterIdentity of = isMember ? identity : ClusterIdentity.NONE;
        boolean reports = isMember && established.isDone() && confirmed.getAsBoolean() && formation.mayReport();
        send(node, new Contact(id, of.id(), of.formedAt(), reports, answer));
    }

    /** Uses a selection, the only kind of message that Pekko sends to an address whose previous node is quarantined. */
    private void send(Address node, Contact contact) {
        getContext().actorSelection(node + "/user/" + NAME).tell(contact, self());
    }

    private boolean isAttempting() {
        return attempting && System.nanoTime() - attemptAt < ATTEMPT.toNanos();
    }

    private void attempt(ClusterIdentity of) {
        identity = of;
        attempting = true;
        attemptAt = System.nanoTime();
    }

    private void joinOrForm() {
        heard.values().removeIf(h -> !h.isFresh());
        Contact best = heard.values().stream()
                .map(Heard::contact)
                .filter(contact ->
                        contact.cluster() != 0 && formation.isJoinable(identity(contact), contact.established()))
                .min(Comparator.comparing((Contact contact) -> !contact.established())
                        .thenComparingLong(Contact::formedAt)
                        .thenComparingLong(Contact::cluster))
                .orElse(null);
        if (best != null) {
            attempt(identity(best));
            cluster.joinSeedNodes(members(identity));
            return;
        }
        Set<Address> present = new HashSet<>(heard.keySet());
        present.add(self);
        ClusterIdentity formed = formation.form(present);
        if (formed != null) {
            attempt(formed);
            cluster.join(self);
        }
    }

    private List<Address> members(ClusterIdentity of) {
        return heard.entrySet().stream()
                .filter(entry -> identity(entry.getValue().contact()).equals(of))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static ClusterIdentity identity(Contact contact) {
        return contact.cluster() == 0
                ? ClusterIdentity.NONE
                : new ClusterIdentity(contact.cluster(), contact.formedAt());
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
