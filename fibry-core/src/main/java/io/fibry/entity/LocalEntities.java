package io.fibry.entity;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorRef;
import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.ForwardingActor;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingFunction;
import io.fibry.dispatch.Alarm;
import io.fibry.dispatch.Durations;
import io.fibry.dispatch.LogText;
import io.fibry.dispatch.OutOfMemory;
import io.fibry.dispatch.Time;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link Entities} on this machine.
 *
 * <p><b>Order and state.</b> Messages of one sender to one key are handled in order, and the handlers of one key never
 * overlap. When an entity ends and the next one begins, the behavior of the next one is created after
 * {@link EntityBehavior#onEnd} of the previous one has returned. No message is lost or handled twice. Meanwhile the
 * messages wait in the mailbox of the next entity, and occupy no thread.
 *
 * <p><b>End.</b> This handle is the parent of the entities. After a stop, the entities refuse new messages. With
 * {@code DRAIN}, each entity ends when it has handled its accepted messages; harder {@linkplain io.fibry.StopMode
 * modes} discard them.
 *
 * @param <K> the type of the keys, with {@code equals} and {@code hashCode}
 * @param <M> the type of the messages
 * @param <R> the type of the replies; {@link Void} if messages have none
 */
public final class LocalEntities<K, M, R extends @Nullable Object> extends ForwardingActor<Void>
        implements Entities<K, M, R> {

    /*
     * The hand-over. The map has the newest entity of a key. A stop, for any reason, closes the mailbox of an entity
     * atomically with respect to the admission of messages. The entity has therefore either accepted a message, and
     * handles it before its end, or refused it. In that case the sender replaces the refusing entity in the map by a
     * new one, unless another sender has done so, or the entity has removed itself at its end. A sender thus resends
     * only messages that no entity has accepted, and always to a newer entity.
     *
     * The new entity begins after the exit of the one that it replaces, and the same holds for its own end if it is
     * stopped before it has begun. An entity removes itself only in its stop hook, after EntityBehavior.onEnd has
     * ended, and only if the map still refers to it. Therefore no entity of the key is alive when the map has none, and
     * all others form a chain, each of which waits for its predecessor.
     *
     * No thread waits for a lock inside the map, whose bins are monitors: on Java 21, a virtual thread that waits there
     * pins its carrier, and the owner of the lock may need that very carrier. Senders therefore create an entity
     * outside of the map, and one compare-and-set decides which one is inserted. The other ones have no message: they
     * are stopped, and end without a behavior. An entity may end while it is being inserted, because a stop of the root
     * reaches it first. It then records its end and removes itself, while its maker inserts it and then reads the
     * record: at least one of them sees the other.
     */

    private static final Logger LOG = LoggerFactory.getLogger(Entities.class);

    /** The time between two checks while busy entities exceed the limit. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(250);

    /** The number of entities that a sender examines to find one that is not running. */
    private static final int FEW = 8;

    private static final Object LOOK = new Object();

    private static final BiConsumer<Recency, Entity<?, ?, ?>> ADD = Recency::add;
    private static final Consumer<LocalEntities<?, ?, ?>> CHECK_FEW = LocalEntities::checkFew;
    private static final Consumer<LocalEntities<?, ?, ?>> CHECK_ALL = LocalEntities::checkAll;
    private static final Consumer<Entity<?, ?, ?>> STOP = Entity::stop;

    private final Actor<Void> root;
    private final ActorSystem system;
    private final ThreadStrategy strategy;
    private final ThrowingFunction<K, EntityBehavior<M, R>> begin;
    private final EntityOptions options;
    private final boolean ranks;

    /** The clock of last uses; null if the order of the uses matters, or entities never end by themselves. */
    private final @Nullable IdleClock clock;

    /** Has the options of all entities, and is only copied. */
    private final ActorBuilder<Object> builder;

    private final AtomicBoolean stopped;
    private final ConcurrentHashMap<K, Entity<K, M, R>> byKey = new ConcurrentHashMap<>();
    private final Recency recency = new Recency();
    private final AtomicInteger inMemory = new AtomicInteger(); // without the ones that are leaving

    /** Ends idle and excess entities; null if the options have neither limit. */
    private final @Nullable Actor<Object> helper;

    /**
     * Whether a check by the helper is pending. It clears the flag first, so it checks every entity that has seen the
     * flag set.
     */
    private final AtomicBoolean lookPlanned = new AtomicBoolean();

    private LocalEntities(
            Actor<Void> root,
            AtomicBoolean stopped,
            ActorSystem system,
            ThreadStrategy strategy,
            ThrowingFunction<K, EntityBehavior<M, R>> begin,
            EntityOptions options) {
        super(root);
        this.root = root;
        this.stopped = stopped;
        this.system = system;
        this.strategy = strategy;
        this.begin = begin;
        this.options = options;
        Duration idle = options.idleTimeout();
        boolean isLimited = options.maxInMemory() < Integer.MAX_VALUE;
        ranks = idle != null || isLimited;
        clock = idle == null || isLimited ? null : new IdleClock(idle);
        builder = newBuilder().copy(); // a copy of a copy only reads, so senders may copy it concurrently
        helper = ranks ? newHelper() : null;
    }

    /**
     * Creates the parent of entities, without any entity.
     *
     * @param builder builds the parent; its strategy is that of the entities
     * @param begin creates the behavior of an entity, on its first message and inside its actor; it may block
     * @throws IllegalArgumentException if the builder has {@link ActorBuilder#bounded},
     *     {@link ActorBuilder#priority} or {@link ActorBuilder#supervision}: the options have those of the entities
     * @throws IllegalStateException if the system is closed, or the name is taken
     */
    public static <K, M, R extends @Nullable Object> LocalEntities<K, M, R> start(
            ActorBuilder<Object> builder, ThrowingFunction<K, EntityBehavior<M, R>> begin, EntityOptions options) {
        Objects.requireNonNull(begin, "begin");
        Objects.requireNonNull(options, "options");
        var stopped = new AtomicBoolean();
        Actor<Void> root = checked(builder)
                .copy()
                .onStopRequested(mode -> stopped.set(true))
                .newActor(ignored -> {});
        var entities = new LocalEntities<>(root, stopped, builder.system(), builder.strategy(), begin, options);
        entities.beFoundByName();
        return entities;
    }

    // ---- messages

    @Override
    public ActorRef<M, R> ref(K key) {
        return new EntityRef<>(this, Objects.requireNonNull(key, "key"));
    }

    /** Returns the entity of this key, other than the one that has refused the message. */
    Entity<K, M, R> other(K key, @Nullable Entity<K, M, R> refusing) {
        if (stopped.get()) {
            throw new ActorStoppedException("actor " + name() + " has been stopped", null);
        }
        Entity<K, M, R> present = byKey.get(key);
        return present != null && present != refusing ? present : made(key, refusing);
    }

    /** Creates an entity. If another thread has been faster, returns the entity of that thread. */
    private Entity<K, M, R> made(K key, @Nullable Entity<K, M, R> refusing) {
        Entity<K, M, R> made;
        try {
            made = new Entity<>(this, key, refusing, builder.copy());
        } catch (IllegalStateException e) { // the system is about to stop this parent
            throw new ActorStoppedException("actor " + name() + " is in a system that has been closed", e);
        }
        Entity<K, M, R> first;
        try {
            first = firstOf(key, refusing, made);
        } catch (Throwable t) { // memory has run out, or the key has thrown: no sender would find the entity
            OutOfMemory.repeat(STOP, made);
            throw t;
        }
        if (first != made) {
            OutOfMemory.repeat(STOP, made);
        } else if (made.hasRemovedItself()) {
            remove(key, made);
        }
        return first;
    }

    /**
     * Inserts the new entity into the map, in place of the refusing one, unless there is another. Returns the one in
     * the map.
     */
    private Entity<K, M, R> firstOf(K key, @Nullable Entity<K, M, R> refusing, Entity<K, M, R> made) {
        while (true) {
            Entity<K, M, R> present = byKey.putIfAbsent(key, made);
            if (present == null || (present == refusing && byKey.replace(key, present, made))) {
                return made;
            }
            if (present != refusing) {
                return present;
            } // otherwise it has just removed itself
        }
    }

    /** Returns the parent of the entities. */
    Actor<Void> root() {
        return root;
    }

    private static ActorBuilder<Object> checked(ActorBuilder<Object> builder) {
        return builder.checkNoMailbox("use EntityOptions.bounded(..)")
                .checkNoSupervision("use EntityOptions.supervision(..)");
    }

    private ActorBuilder<Object> newBuilder() {
        ActorBuilder<Object> made =
                system.actor().strategy(strategy).childOf(root).supervision(options.supervision());
        return options.capacity() == 0 ? made : made.bounded(options.capacity(), options.overflow());
    }

    // ---- ends

    @Override
    public void end(K key) {
        Entity<K, M, R> entity = byKey.get(Objects.requireNonNull(key, "key"));
        if (entity != null) {
            entity.stop();
        }
    }

    @Override
    public void close() {
        super.close();
    }

    @Override
    public int size() {
        return byKey.size();
    }

    /** Called when an entity has received its first message. The sender has required stack. */
    void entered(Entity<K, M, R> entity) {
        if (ranks) {
            OutOfMemory.repeat(ADD, recency, entity); // otherwise it would never be stopped
        }
        inMemory.incrementAndGet();
        OutOfMemory.repeat(CHECK_FEW, this);
    }

    private void checkFew() {
        endTooMany(FEW);
    }

    private void checkAll() {
        endTooMany(Integer.MAX_VALUE);
    }

    /**
     * Stops entities until the limit holds, or until none of the next entities, in the order of their last use, is
     * idle. In the latter case the helper checks all of them later. A sender checks a few only: with many running
     * entities, the time for a new one would otherwise grow with their number.
     */
    private void endTooMany(int atMost) {
        while (inMemory.get() > options.maxInMemory()) {
            Entity<?, ?, ?> oldest = recency.takeOldest(Time.nanos(), atMost);
            if (oldest == null) {
                lookAgain();
                return;
            }
            try {
                stop(oldest);
            } catch (StackOverflowError e) { // not an error of the sender's message: the helper has its own stack
                lookAgain();
                return;
            }
        }
    }

    /**
     * Stops an entity that {@link #recency} has returned. If this fails, adds the entity again: it would otherwise stay
     * in memory until the end of its parent.
     */
    private void stop(Entity<?, ?, ?> oldest) {
        boolean stopped = false;
        try {
            oldest.stop();
            stopped = true;
        } finally {
            if (!stopped) {
                OutOfMemory.repeat(ADD, recency, oldest);
            }
        }
    }

    private void lookAgain() {
        Actor<Object> h = helper;
        if (h != null && !lookPlanned.get()) {
            var alarm = new Alarm(); // before the flag is set: only the action of an alarm clears the flag
            Runnable action = () -> askToLook(h);
            if (lookPlanned.compareAndSet(false, true)) {
                alarm.start(LOOK_AGAIN.toNanos(), action); // allocates nothing
            }
        }
    }

    private static void askToLook(Actor<Object> helper) {
        try {
            helper.tell(LOOK);
        } catch (ActorStoppedException e) {
            return; // all entities are being stopped
        }
    }

    /**
     * The helper runs on virtual threads: with an executor, the end of an entity may run on the stopping thread, and
     * block.
     */
    private Actor<Object> newHelper() {
        Duration idle = options.idleTimeout();
        return system.actor()
                .strategy(ThreadStrategy.virtual())
                .childOf(root)
                .label(root.name() + ", idle entities")
                .newActorFrom(context -> {
                    if (idle != null) {
                        context.every(IdleClock.period(idle), LOOK);
                    }
                    return look -> {
                        lookPlanned.set(false);
                        OutOfMemory.repeat(CHECK_ALL, this);
                        if (idle != null) {
                            endIdle(idle);
                        }
                    };
                });
    }

    private void endIdle(Duration idle) {
        long now = Time.nanos();
        long before = clock != null ? clock.check(now) : now - Durations.limitedNanos(idle);
        Entity<?, ?, ?> oldest = recency.takeOldest(before, Integer.MAX_VALUE);
        while (oldest != null) {
            stop(oldest);
            oldest = recency.takeOldest(before, Integer.MAX_VALUE);
        }
    }

    // ---- called by entities

    EntityOptions options() {
        return options;
    }

    /** Whether entities must record the time of their last use. */
    boolean ranks() {
        return ranks;
    }

    /** The time for the last use of an entity. */
    long now() {
        return clock != null ? clock.now() : Time.nanos();
    }

    EntityBehavior<M, R> begin(K key) throws Exception {
        return Objects.requireNonNull(begin.apply(key), "the behavior of an entity");
    }

    void left() {
        inMemory.decrementAndGet();
    }

    void remove(K key, Entity<K, M, R> entity) {
        byKey.remove(key, entity);
    }

    void cannotBegin(Entity<K, M, R> entity, Exception e) {
        LOG.warn(
                "Entity {} cannot begin; it tries again after {}",
                LogText.plain(entity),
                options.startRetryDelay(),
                LogText.plainTrace(e));
    }

    void cannotEnd(Entity<K, M, R> entity, Exception e) {
        LOG.error("Entity {} has failed at its end", LogText.plain(entity), LogText.plainTrace(e));
    }

    /** For tests: the number of entries in the {@link Recency}. */
    int places() {
        return recency.size();
    }
}
