package io.fibry.entity;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorRef;
import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.ForwardingActor;
import io.fibry.ReplyActor;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingFunction;
import io.fibry.dispatch.LogText;
import io.fibry.dispatch.OutOfMemory;
import io.fibry.dispatch.StackRoom;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
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
     * The hand-over. The map has the actor of the newest entity of a key. A stop, for any reason, closes the mailbox of
     * this actor atomically with respect to the admission of messages. The actor has therefore either accepted a
     * message, and handles it before its end, or refused it. In that case the sender replaces it in the map by the
     * actor of a new entity, unless another sender has done so, or the entity has removed it at its end. A sender thus
     * resends only messages that no entity has accepted, and always to a newer entity.
     *
     * The new entity begins after the exit of the one that it replaces, and the same holds for its own end if it is
     * stopped before it has begun. An entity removes its actor only in its stop hook, after EntityBehavior.onEnd has
     * ended, and only if the map still has it. Therefore no entity of the key is alive when the map has none, and
     * all others form a chain, each of which waits for its predecessor.
     *
     * No thread waits for a lock inside the map, whose bins are monitors: on Java 21, a virtual thread that waits there
     * pins its carrier, and the owner of the lock may need that very carrier. Senders therefore create an entity
     * outside of the map, and one compare-and-set decides which one is inserted. The other ones have no message: they
     * are stopped, and end without a behavior. An entity may end while it is being inserted, because a stop of the root
     * reaches it first. It then records its end, reads its actor and removes it, while its maker writes the actor,
     * inserts it and then reads the record: at least one of them sees the other.
     */

    private static final Logger LOG = LoggerFactory.getLogger(Entities.class);

    private static final Consumer<Entity<?, ?, ?>> STOP = Entity::stop;

    private final Actor<Void> root;
    private final ThrowingFunction<K, EntityBehavior<M, R>> begin;
    private final EntityOptions options;
    private final Eviction eviction;

    /** Has the options of all entities, and is only copied. */
    private final ActorBuilder<Object> builder;

    private final AtomicBoolean stopped;

    /** The actors of the newest entities. A sender to a present one thus does not access the {@link Entity}. */
    private final ConcurrentHashMap<K, ReplyActor<M, R>> byKey = new ConcurrentHashMap<>();

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
        this.begin = begin;
        this.options = options;
        builder = newBuilder(system, strategy).copy(); // senders may copy a copy concurrently, which only reads it
        eviction = new Eviction(options, system, root);
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

    /**
     * Returns the actor of the newest entity of this key, or null if there is none.
     *
     * @throws ActorStoppedException if this parent has been stopped
     */
    @Nullable
    ReplyActor<M, R> present(K key) {
        if (stopped.get()) {
            throw new ActorStoppedException("actor " + name() + " has been stopped", null);
        }
        return byKey.get(key);
    }

    /**
     * Sends a message to the next entity of this key. Creates it if necessary.
     *
     * @param refusing the actor that has refused the message; null if there was none
     * @param send sends the message to an actor; returns null if the actor refuses it, because it has been stopped
     * @throws ActorStoppedException if this parent has been stopped
     */
    <T> T sendToNext(K key, @Nullable ReplyActor<M, R> refusing, Function<ReplyActor<M, R>, @Nullable T> send) {
        ReplyActor<M, R> before = refusing;
        while (true) {
            ReplyActor<M, R> next = present(key);
            Entity<K, M, R> made = null;
            if (next == null || next == before) {
                StackRoom.require(); // the count of the entity must not remain incomplete
                made = made(key, before);
                next = inserted(key, before, made);
            }
            T sent;
            try {
                sent = send.apply(next);
            } finally {
                if (made != null && made.actor() == next) {
                    made.count();
                }
            }
            if (sent != null) {
                return sent;
            }
            before = next;
        }
    }

    private Entity<K, M, R> made(K key, @Nullable ReplyActor<M, R> before) {
        try {
            return new Entity<>(this, key, before, builder.copy());
        } catch (IllegalStateException e) { // the system is about to stop this parent
            throw new ActorStoppedException("actor " + name() + " is in a system that has been closed", e);
        }
    }

    /** Inserts a new entity, unless another thread has been faster. Returns the actor of the present entity. */
    private ReplyActor<M, R> inserted(K key, @Nullable ReplyActor<M, R> before, Entity<K, M, R> made) {
        ReplyActor<M, R> first;
        try {
            first = firstOf(key, before, made.actor());
        } catch (Throwable t) { // memory has run out, or the key has thrown: no sender would find the entity
            OutOfMemory.repeat(STOP, made);
            throw t;
        }
        if (first != made.actor()) {
            OutOfMemory.repeat(STOP, made);
        } else if (made.hasRemovedItself()) {
            remove(key, first);
        }
        return first;
    }

    /**
     * Inserts the new actor into the map, in place of the refusing one, unless there is another. Returns the one in the
     * map.
     */
    private ReplyActor<M, R> firstOf(K key, @Nullable ReplyActor<M, R> before, ReplyActor<M, R> made) {
        while (true) {
            ReplyActor<M, R> present = byKey.putIfAbsent(key, made);
            if (present == null || (present == before && byKey.replace(key, present, made))) {
                return made;
            }
            if (present != before) {
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

    private ActorBuilder<Object> newBuilder(ActorSystem system, ThreadStrategy strategy) {
        ActorBuilder<Object> made =
                system.actor().strategy(strategy).childOf(root).supervision(options.supervision());
        return options.capacity() == 0 ? made : made.bounded(options.capacity(), options.overflow());
    }

    // ---- ends

    @Override
    public void end(K key) {
        ReplyActor<M, R> actor = byKey.get(Objects.requireNonNull(key, "key"));
        if (actor != null) {
            actor.stop();
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

    // ---- called by entities

    EntityOptions options() {
        return options;
    }

    Eviction eviction() {
        return eviction;
    }

    EntityBehavior<M, R> begin(K key) throws Exception {
        return Objects.requireNonNull(begin.apply(key), "the behavior of an entity");
    }

    /** Removes an entity that has ended. Its actor is null if its creator has not received it yet. */
    void remove(K key, @Nullable ReplyActor<M, R> actor) {
        if (actor != null) {
            byKey.remove(key, actor);
        }
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
}
