package io.fibry.cluster.pekko;

import io.fibry.Actor;
import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.StopMode;
import io.fibry.ThrowingFunction;
import io.fibry.cluster.ClusterEvent;
import io.fibry.cluster.ClusterOptions;
import io.fibry.cluster.ClusterStats;
import io.fibry.cluster.ClusterSystem;
import io.fibry.cluster.Codec;
import io.fibry.cluster.Member;
import io.fibry.cluster.NoMajorityException;
import io.fibry.cluster.pekko.Packet.Answer;
import io.fibry.cluster.pekko.Packet.ToEntity;
import io.fibry.dispatch.Durations;
import io.fibry.entity.Entities;
import io.fibry.entity.EntityBehavior;
import io.fibry.entity.EntityOptions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.cluster.Cluster;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node of the cluster. Connects its components. */
final class PekkoCluster implements ClusterSystem {

    private static final Logger LOG = LoggerFactory.getLogger(PekkoCluster.class);
    private static final Pattern TYPE = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9_.-]{0,99}");

    /** The limit of bytes that wait for redelivery. Beyond it, new messages are refused. */
    private static final long MOST_WAITING = 64L << 20;

    /** The time that entities may take to end after the removal of this node, before {@link #removed} completes. */
    private static final Duration LONGEST_END = Duration.ofSeconds(5);

    private final ClusterOptions options;
    private final org.apache.pekko.actor.ActorSystem pekko;
    private final @Nullable ContextEngines engines;
    private final ActorSystem system;
    private final Fence fence;
    private final TakeoverBarrier takeover;
    private final ClusterCounters counts = new ClusterCounters();
    private final Asks asks = new Asks();
    private final ShardRegions regions;
    private final AtomicLong waiting = new AtomicLong();
    private final String address;
    private final ActorRef answers;
    private final ActorRef resender;
    private final ConcurrentHashMap<String, EntityType<?, ?>> types = new ConcurrentHashMap<>();
    private final List<Actor<ClusterEvent>> listeners = new CopyOnWriteArrayList<>();
    private final AtomicBoolean expelled = new AtomicBoolean();
    private final CompletableFuture<@Nullable Void> removed = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Void> member = new CompletableFuture<>();
    private volatile Membership.View view = Membership.View.NONE;
    private volatile boolean closed;

    private PekkoCluster(ClusterOptions options, Joining.Started started) {
        this.options = options;
        pekko = started.pekko();
        engines = started.engines();
        system = ActorSystem.create();
        Timing timing = Timing.of(options.failover());
        fence = new Fence(timing.confirmation());
        takeover = new TakeoverBarrier(timing.margin());
        regions = new ShardRegions(pekko);
        address = Cluster.get(pekko).selfAddress().hostPort();
        answers = pekko.actorOf(
                Props.create(Answers.class, () -> new Answers(asks)).withDispatcher(Settings.SAME_THREAD),
                Answers.NAME);
        resender = pekko.actorOf(Props.create(Redelivery.class, () -> new Redelivery(this)));
        pekko.actorOf(
                Props.create(FenceActor.class, () -> new FenceActor(fence)).withDispatcher(Settings.PROMPT),
                FenceActor.NAME);
        pekko.actorOf(Props.create(Membership.class, () -> new Membership(this::seen, this::publish, takeover)));
        Cluster.get(pekko).registerOnMemberRemoved(this::expelled);
        Leaving.onBegin(pekko, this::leaving);
        pekko.getWhenTerminated().whenComplete((terminated, failure) -> Thread.startVirtualThread(this::ended));
    }

    static PekkoCluster join(ClusterOptions options) {
        Joining.Started started = Joining.start(options);
        try {
            var cluster = new PekkoCluster(options, started);
            Joining.await(CompletableFuture.allOf(cluster.member, cluster.fence.opened()), cluster.removed, options);
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
        if (!TYPE.matcher(type).matches()) {
            throw new IllegalArgumentException(
                    "a type must have 1 to 100 letters, digits, - _ and ., and begin with a letter or digit, not \""
                            + type + "\"");
        }
        var made = new EntityType<>(this, type, messages, replies, begin, options);
        checkOpen();
        if (types.putIfAbsent(type, made) != null) {
            throw new IllegalStateException("this node has entities of type " + type + " already");
        }
        regions.start(made);
        return made;
    }

    // ---- for the components

    org.apache.pekko.actor.ActorSystem pekko() {
        return pekko;
    }

    ClusterOptions options() {
        return options;
    }

    /** Waits until a message may begin. If the wait fails, the message counts as lost. */
    void passFence() throws InterruptedException {
        try {
            fence.pass();
        } catch (InterruptedException | NoMajorityException e) {
            counts.lost.incrementAndGet();
            throw e;
        }
    }

    boolean isTakeover() {
        return takeover.isUnderWay();
    }

    /**
     * Waits until a message to an entity of a removed node may begin. If the wait fails, the message counts as lost.
     */
    void awaitTakeover() throws InterruptedException {
        try {
            takeover.await();
        } catch (InterruptedException e) {
            counts.lost.incrementAndGet();
            throw e;
        }
    }

    Asks asks() {
        return asks;
    }

    ActorRef answers() {
        return answers;
    }

    /** Returns the address of this node in Pekko's format. */
    String address() {
        return address;
    }

    ShardRegions regions() {
        return regions;
    }

    ClusterCounters counts() {
        return counts;
    }

    ActorRef region(EntityType<?, ?> type) {
        return Objects.requireNonNull(regions.of(type.name()));
    }

    private void checkOpen() {
        if (closed || expelled.get()) {
            throw new IllegalStateException("this node has left the cluster");
        }
    }

    /** Throws an exception if this node has left the cluster, or cannot reach the majority. */
    void checkMajority() {
        if (closed) {
            throw new ActorStoppedException("this node has left the cluster", null);
        }
        if (expelled.get()) {
            throw new NoMajorityException("this node has been removed from the cluster");
        }
        if (!view.hasMajority() || !fence.isOpen()) {
            counts.refused.incrementAndGet();
            throw new NoMajorityException("this node cannot reach the majority of the cluster");
        }
    }

    /** The number of bytes that wait for redelivery. */
    AtomicLong waiting() {
        return waiting;
    }

    boolean hasRoom() {
        return waiting.get() < MOST_WAITING;
    }

    void refused() {
        counts.refused.incrementAndGet();
    }

    void lost() {
        counts.lost.incrementAndGet();
    }

    void undelivered(ToEntity packet) {
        resender.tell(new Redelivery.Undelivered(packet), ActorRef.noSender());
    }

    /** Sends the answer of an ask. An ask of this node is completed directly. */
    void answer(ActorRef asker, Answer answer) {
        if (asker.equals(answers)) {
            asks.answered(answer);
        } else {
            asker.tell(answer, ActorRef.noSender());
        }
    }

    void shardArrived(String type, int shard) {
        publish(new ClusterEvent.ShardArrived(type, shard));
        if (expelled.get()) { // expelled() may have missed this shard
            interruptEntities();
        }
    }

    void shardLeft(String type, int shard) {
        if (!expelled.get()) {
            counts.moved.incrementAndGet();
        }
        publish(new ClusterEvent.ShardLeft(type, shard));
    }

    // ---- members and events

    private void seen(Membership.View now) {
        view = now;
        if (now.selfIsUp() && now.hasMajority()) {
            member.complete(null);
        }
        if (now.selfIsDown()) {
            expelled();
        }
    }

    boolean isExpelled() {
        return expelled.get();
    }

    /** Handles the removal of this node from the cluster. */
    private void expelled() {
        if (!expelled.compareAndSet(false, true)) {
            return;
        }
        fence.close();
        asks.close("this node has been removed from the cluster");
        interruptEntities();
        publish(new ClusterEvent.ThisNodeRemoved());
        CompletableFuture<?> unused = pekko.getWhenTerminated()
                .thenAccept(terminated -> {})
                .toCompletableFuture()
                .completeOnTimeout(null, LONGEST_END.toSeconds(), TimeUnit.SECONDS)
                .thenRunAsync(() -> removed.complete(null), Thread::startVirtualThread);
    }

    private void interruptEntities() {
        types.values().forEach(type -> type.owned().forEach(entities -> entities.stop(StopMode.INTERRUPT)));
    }

    /** Runs after the termination of Pekko, which follows the end of all entities. */
    private void ended() {
        expelled();
        removed.complete(null);
        system.close(); // waits for listeners, which may wait for removed()
    }

    private void publish(ClusterEvent event) {
        for (Actor<ClusterEvent> listener : listeners) {
            try {
                listener.tell(event);
            } catch (ActorStoppedException e) {
                LOG.debug("A listener was not notified of {}: the node has ended", event);
            }
        }
    }

    @Override
    public void onEvent(Consumer<ClusterEvent> listener) {
        Objects.requireNonNull(listener, "listener");
        checkOpen();
        listeners.add(system.actor().label("cluster events").newActor(listener::accept));
    }

    @Override
    public Member self() {
        Cluster cluster = Cluster.get(pekko);
        long id = cluster.selfUniqueAddress().longUid();
        return members().stream()
                .filter(member -> member.id() == id)
                .findFirst()
                .orElseGet(() -> Membership.member(cluster.selfMember(), Member.State.DOWN));
    }

    @Override
    public List<Member> members() {
        return view.members();
    }

    @Override
    public ActorSystem system() {
        return system;
    }

    @Override
    public ClusterStats stats() {
        int shards = 0;
        int entities = 0;
        for (EntityType<?, ?> type : types.values()) {
            shards += type.shards();
            entities += type.size();
        }
        return new ClusterStats(
                shards,
                entities,
                counts.moved.get(),
                counts.resent.get(),
                counts.refused.get(),
                counts.lost.get() + system.stats().dead(),
                engines == null ? 0 : engines.rejected());
    }

    // ---- the end

    /** Marks this node as leaving, after a call of {@link #close} or at JVM exit. */
    private void leaving() {
        if (!expelled.get()) {
            closed = true;
        }
    }

    @Override
    public CompletableFuture<@Nullable Void> removed() {
        return removed.copy();
    }

    @Override
    public boolean close(Duration deadline) {
        Durations.notNegative("deadline", deadline);
        leaving();
        return Leaving.leave(pekko, removed, deadline, this::expelled);
    }
}
