package io.fibry.cluster.pekko;

import io.fibry.ActorSystem;
import io.fibry.ThrowingFunction;
import io.fibry.cluster.ClusterEvent;
import io.fibry.cluster.ClusterOptions;
import io.fibry.cluster.ClusterStats;
import io.fibry.cluster.ClusterSystem;
import io.fibry.cluster.Member;
import io.fibry.cluster.pekko.Packet.ToEntity;
import io.fibry.codec.Codec;
import io.fibry.dispatch.Durations;
import io.fibry.durable.DurableEntities;
import io.fibry.durable.DurableOptions;
import io.fibry.durable.Persistence;
import io.fibry.entity.Entities;
import io.fibry.entity.EntityBehavior;
import io.fibry.entity.EntityOptions;
import io.fibry.observer.ObserverPage;
import io.fibry.topic.Topic;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.cluster.Cluster;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node of the cluster. Connects its components. */
final class PekkoCluster implements ClusterSystem {

    private static final Logger LOG = LoggerFactory.getLogger(PekkoCluster.class);

    /** The time that entities may take to end after the removal of this node, before {@link #removed} completes. */
    private static final Duration LONGEST_END = Duration.ofSeconds(5);

    private final ClusterOptions options;
    private final org.apache.pekko.actor.ActorSystem pekko;
    private final @Nullable ContextEngines engines;
    private final ActorSystem system;
    private final ClusterCounters counts = new ClusterCounters();
    private final ClusterListeners listeners;
    private final NodeStatus status;
    private final Formation formation;
    private final Fencing fencing;
    private final TypeDirectory directory;
    private final ShardRegions regions;
    private final ActorRef types;
    private final AskRouter router;
    private final RedeliveryBuffer buffer = new RedeliveryBuffer();
    private final Admission admission;
    private final ActorRef redelivery;
    private final ActorRef singletons;
    private final AtomicLong roundTrip = new AtomicLong();
    private final ConcurrentHashMap<String, ClusterTopic<?>> topicsByName = new ConcurrentHashMap<>();
    private final ActorRef topics;

    /** The types whose coordinator does not respond. */
    private final Set<String> stalled = ConcurrentHashMap.newKeySet();

    private Set<Long> absent = Set.of(); // used by the actor of the membership only

    private PekkoCluster(ClusterOptions options, Joining.Started started) {
        this.options = options;
        pekko = started.pekko();
        engines = started.engines();
        system = ActorSystem.create();
        listeners = new ClusterListeners(system);
        Timing timing = Timing.of(options.failover());
        var fence = new Fence(timing.confirmation());
        var takeover = new TakeoverBarrier(timing.margin());
        status = new NodeStatus(fence, counts);
        formation = Formation.of(options, status::isConfirmed);
        Leaving.onEnd(pekko, formation::close);
        fencing = new Fencing(fence, takeover, counts);
        directory = new TypeDirectory(Cluster.get(pekko).selfUniqueAddress().longUid());
        regions = new ShardRegions(pekko, directory);
        router = new AskRouter(pekko);
        admission = new Admission(status, directory, buffer, counts);
        redelivery = pekko.actorOf(
                Props.create(Redelivery.class, () -> new Redelivery(buffer, regions, status, counts, timing.margin())));
        ActorRef fences = pekko.actorOf(
                Props.create(FenceActor.class, () -> new FenceActor(fence, roundTrip))
                        .withDispatcher(Settings.PROMPT),
                FenceActor.NAME);
        types = pekko.actorOf(
                Props.create(TypeActor.class, () -> new TypeActor(directory, regions, buffer))
                        .withDispatcher(Settings.WAITING),
                TypeActor.NAME);
        ActorRef members = pekko.actorOf(
                Props.create(Membership.class, () -> new Membership(this::seen, listeners::publish, takeover)));
        ActorRef seeds = pekko.actorOf(
                Props.create(
                        SeedActor.class,
                        () -> new SeedActor(
                                formation, status.established(), status::isConfirmed, this::metOtherCluster)),
                SeedActor.NAME);
        singletons = pekko.actorOf(Props.create(SingletonActor.class, () -> new SingletonActor(status)));
        topics = pekko.actorOf(
                Props.create(TopicActor.class, () -> new TopicActor(topicsByName, counts)), TopicActor.NAME);
        ActorRef coordinators = pekko.actorOf(Props.create(
                CoordinatorWatch.class,
                () -> new CoordinatorWatch(
                        regions,
                        status::isSettled,
                        timing.takeover(),
                        stalled,
                        type -> listeners.publish(new ClusterEvent.AllocationStalled(type)))));
        List<ActorRef> vital =
                List.of(redelivery, fences, types, members, seeds, singletons, topics, coordinators, router.answers());
        pekko.actorOf(Props.create(Watchdog.class, () -> new Watchdog(vital, this::vitalActorEnded)));
        Cluster.get(pekko).registerOnMemberRemoved(this::expelled);
        Leaving.onBegin(pekko, status::leave);
        pekko.getWhenTerminated().whenComplete((terminated, failure) -> Thread.startVirtualThread(this::ended));
    }

    static PekkoCluster join(ClusterOptions options) {
        Joining.Started started = Joining.start(options);
        try {
            var cluster = new PekkoCluster(options, started);
            Joining.await(cluster.status, options, cluster.formation);
            ClusterMetrics.publish(cluster, cluster.roundTrip);
            return cluster;
        } catch (RuntimeException e) {
            Joining.end(started.pekko());
            throw e;
        }
    }

    @Override
    public <M, R extends @Nullable Object> Entities<String, M, R> entities(
            String type,
            Codec<M> messages,
            Codec<R> replies,
            ThrowingFunction<String, EntityBehavior<M, R>> begin,
            EntityOptions options) {
        return host(new EntityType<>(this, type, messages, replies, begin, options));
    }

    @Override
    public <M, R extends @Nullable Object> DurableEntities<M, R> entities(
            Persistence<M, R> persistence, DurableOptions options) {
        return DurableEntities.on(this::entities, fencing()::passStored, system, persistence, options);
    }

    private <M, R extends @Nullable Object> EntityType<M, R> host(EntityType<M, R> type) {
        status.checkOpen();
        regions.host(type);
        types.tell(TypeActor.Announce.ANNOUNCE, ActorRef.noSender());
        return type;
    }

    @Override
    public <M> Topic<M> topic(String name, Codec<M> messages) {
        status.checkOpen();
        return ClusterTopic.start(EntityType.checkedName(name), messages, this, topics, topicsByName);
    }

    void unhost(EntityType<?, ?> type) {
        regions.unhost(type);
        types.tell(TypeActor.Announce.ANNOUNCE, ActorRef.noSender());
    }

    @Override
    public <M, R extends @Nullable Object> io.fibry.ActorRef<M, R> singleton(
            String name,
            Codec<M> messages,
            Codec<R> replies,
            ThrowingFunction<io.fibry.ActorRef<M, R>, EntityBehavior<M, R>> begin) {
        Objects.requireNonNull(begin, "begin");
        io.fibry.ActorRef<M, R> self = client(name, messages, replies).ref(name);
        EntityType<M, R> type =
                host(new EntityType<>(this, name, messages, replies, key -> begin.apply(self), SingletonActor.OPTIONS));
        singletons.tell(new SingletonActor.Hosted(type), ActorRef.noSender());
        return self;
    }

    @Override
    public <M, R extends @Nullable Object> Entities<String, M, R> client(
            String type, Codec<M> messages, Codec<R> replies) {
        EntityType<M, R> made = EntityType.client(this, type, messages, replies);
        status.checkOpen();
        regions.start(type);
        return made;
    }

    // ---- for the components

    org.apache.pekko.actor.ActorSystem pekko() {
        return pekko;
    }

    ClusterOptions options() {
        return options;
    }

    ClusterCounters counts() {
        return counts;
    }

    NodeStatus status() {
        return status;
    }

    Fencing fencing() {
        return fencing;
    }

    ShardRegions regions() {
        return regions;
    }

    AskRouter router() {
        return router;
    }

    RedeliveryBuffer buffer() {
        return buffer;
    }

    ActorRef redelivery() {
        return redelivery;
    }

    TypeDirectory directory() {
        return directory;
    }

    Admission admission() {
        return admission;
    }

    /** Holds the message back if its owner is unreachable; see {@link Redelivery}. */
    boolean isHeld(ToEntity packet) {
        for (long node : buffer.heldFor()) {
            if (directory.isOwnedBy(node, packet.type, packet.shard)) {
                redelivery.tell(new Redelivery.Held(node, packet), ActorRef.noSender());
                return true;
            }
        }
        return false;
    }

    void undelivered(ToEntity packet) {
        redelivery.tell(new Redelivery.Undelivered(packet), ActorRef.noSender());
    }

    void shardArrived(String type, int shard) {
        listeners.publish(new ClusterEvent.ShardArrived(type, shard));
        if (status.isExpelled()) { // expelled() may have missed this shard
            regions.interruptEntities();
        }
    }

    void shardLeft(String type, int shard) {
        if (!status.isExpelled()) {
            counts.moved.incrementAndGet();
        }
        listeners.publish(new ClusterEvent.ShardLeft(type, shard));
    }

    // ---- members and events

    private void seen(Membership.View now) {
        status.update(now);
        Set<Long> nowAbsent = now.absent();
        if (!nowAbsent.equals(absent)) {
            redelivery.tell(new Redelivery.Absent(nowAbsent, now.ids()), ActorRef.noSender());
            absent = nowAbsent;
        }
        if (now.selfIsDown()) {
            expelled();
        }
    }

    private void vitalActorEnded() {
        boolean ends = CoordinatedShutdown.get(pekko).getShutdownReason().isPresent();
        if (!ends && !status.isExpelled()) {
            stop("one of its own actors has been stopped");
        }
    }

    private void stop(String reason) {
        LOG.error("Node {}:{} stops: {}", options.host(), options.port(), reason);
        status.stopsBecause(reason);
        expelled();
        Cluster.get(pekko).down(Cluster.get(pekko).selfAddress());
    }

    private void metOtherCluster() {
        if (!status.isExpelled()) {
            stop("another cluster named " + options.name() + " exists");
        }
    }

    /** Handles the removal of this node from the cluster. */
    private void expelled() {
        if (!status.expel()) {
            return;
        }
        router.asks().close("this node has been removed from the cluster");
        regions.interruptEntities();
        listeners.publish(new ClusterEvent.ThisNodeRemoved());
        CompletableFuture<?> unused = pekko.getWhenTerminated()
                .thenAccept(terminated -> {})
                .toCompletableFuture()
                .completeOnTimeout(null, LONGEST_END.toSeconds(), TimeUnit.SECONDS)
                .thenRunAsync(status::end, Thread::startVirtualThread);
    }

    /** Runs after the termination of Pekko, which follows the end of all entities. */
    private void ended() {
        expelled();
        formation.close(); // without time to leave, Pekko skips it
        status.end();
        system.close(); // waits for listeners, which may wait for removed()
    }

    @Override
    public void onEvent(Consumer<ClusterEvent> listener) {
        Objects.requireNonNull(listener, "listener");
        status.checkOpen();
        listeners.add(listener);
    }

    @Override
    public Member self() {
        return Membership.self(Cluster.get(pekko), members());
    }

    @Override
    public List<Member> members() {
        return status.members();
    }

    @Override
    public ActorSystem system() {
        return system;
    }

    @Override
    public ClusterStats stats() {
        return new ClusterStats(
                regions.shards(),
                regions.entities(),
                counts.moved.get(),
                counts.resent.get(),
                counts.refused.get() + badFrames(),
                counts.lost.get() + system.stats().dead(),
                engines == null ? 0 : engines.rejected());
    }

    /** The types of which no shard can be allocated. */
    Set<String> stalled() {
        return stalled;
    }

    @Override
    public ObserverPage observerPage() {
        var tables = new ClusterTables(this);
        return new ObserverPage("Cluster", () -> tables.tables(members()));
    }

    @Override
    public boolean isReady() {
        return status.isConfirmed() && stalled.isEmpty();
    }

    private long badFrames() {
        return ((LimitedWarnings) ((ExtendedActorSystem) pekko).logFilter()).badFrames();
    }

    // ---- the end

    @Override
    public CompletableFuture<@Nullable Void> removed() {
        return status.removed().copy();
    }

    @Override
    public boolean close(Duration deadline) {
        Durations.notNegative("deadline", deadline);
        status.leave();
        return Leaving.leave(pekko, status.removed(), deadline, this::expelled);
    }
}
