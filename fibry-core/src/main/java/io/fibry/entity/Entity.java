package io.fibry.entity;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorInterruptedException;
import io.fibry.ReplyActor;
import io.fibry.dispatch.Control;
import io.fibry.kernel.PlaceAfter;
import io.fibry.kernel.RestartableBehavior;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An entity from its first message to its end, with the actor that handles its messages. It is the behavior of this
 * actor, which saves an object per entity.
 */
final class Entity<K, M, R extends @Nullable Object> implements RestartableBehavior<M, R> {

    private static final VarHandle USED_AT;
    private static final VarHandle RUNNING;
    private static final VarHandle PHASE;

    static {
        try {
            var lookup = MethodHandles.lookup();
            USED_AT = lookup.findVarHandle(Entity.class, "usedAt", long.class);
            RUNNING = lookup.findVarHandle(Entity.class, "running", boolean.class);
            PHASE = lookup.findVarHandle(Entity.class, "phase", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Its creator has not sent its message yet, or is still sending it. It is not a candidate for eviction. */
    private static final int NEW = 0;

    /** It counts as an entity in memory. */
    private static final int COUNTED = 1;

    /** It has been stopped or has ended. It no longer counts. */
    private static final int LEAVING = 2;

    private final LocalEntities<K, M, R> entities;
    private final K key;
    private volatile @Nullable ReplyActor<M, R> actor; // null until the end of the constructor, while it may run
    private volatile int phase;
    private volatile long usedAt; // set in release mode, as is the next: no full fence per message
    private volatile boolean running;
    private volatile boolean removedItself;
    private volatile @Nullable CountDownLatch retry; // non-null only during the pause before a retry
    private @Nullable EntityBehavior<M, R> behavior; // confined to the actor

    /** Starts the actor, which handles its first message after the end of the previous entity. */
    Entity(LocalEntities<K, M, R> entities, K key, @Nullable Actor<M> before, ActorBuilder<Object> builder) {
        this.entities = entities;
        this.key = key;
        usedAt = entities.eviction().now();
        if (before != null) {
            builder.childOf(new PlaceAfter<>(entities.root(), before));
        }
        actor = builder.label(this)
                .onStopRequested(mode -> stopRequested())
                .onStop(exit -> end())
                .newActorWithReturn(this);
    }

    // ---- called by senders

    /** The actor of the entity. Not called before the end of the constructor. */
    ReplyActor<M, R> actor() {
        return Objects.requireNonNull(actor);
    }

    void stop() {
        actor().stop();
    }

    /**
     * Counts the entity after the message of its creator, also if the message has not been accepted: an entity that is
     * not counted is not stopped when it is idle. The caller has required stack.
     */
    void count() {
        if (PHASE.compareAndSet(this, NEW, COUNTED)) {
            entities.eviction().entered(this);
        }
    }

    // ---- its age

    /** The {@linkplain Eviction#now time} of the last handled message; now, while it handles one. */
    long usedAt() {
        return running ? entities.eviction().now() : usedAt;
    }

    /** Whether it handles a message. */
    boolean isRunning() {
        return running;
    }

    /** Whether it has been stopped or has ended. */
    boolean isLeaving() {
        return phase == LEAVING;
    }

    /** Whether it has ended, and has removed itself or is about to. */
    boolean hasRemovedItself() {
        return removedItself;
    }

    private void leave() {
        if ((int) PHASE.getAndSet(this, LEAVING) == COUNTED) {
            entities.eviction().left();
        }
    }

    private void stopRequested() {
        leave();
        CountDownLatch latch = retry; // read after leave(): see pauses
        if (latch != null) {
            latch.countDown();
        }
    }

    // ---- inside the actor

    /** Drops the failed behavior. */
    @Override
    public void reset() {
        behavior = null;
    }

    /** Reads the clock here rather than in the senders, which thus are faster, and write no shared field. */
    @Override
    public R apply(M message) throws Exception {
        Eviction eviction = entities.eviction();
        if (!eviction.ranks()) {
            return handle(message);
        }
        RUNNING.setRelease(this, true);
        try {
            return handle(message);
        } finally {
            USED_AT.setRelease(this, eviction.now());
            RUNNING.setRelease(this, false);
        }
    }

    private R handle(M message) throws Exception {
        EntityBehavior<M, R> b = behavior;
        if (b == null) {
            b = begun();
            behavior = b;
        }
        return b.handle(message);
    }

    private EntityBehavior<M, R> begun() throws Exception {
        while (true) {
            try {
                return entities.begin(key);
            } catch (InterruptedException | ActorInterruptedException e) {
                throw e;
            } catch (Exception e) {
                Duration pause = entities.options().startRetryDelay();
                if (pause == null || isLeaving()) {
                    throw e; // a stop must not wait for a retry that may never succeed
                }
                entities.cannotBegin(this, e);
                if (!pauses(pause)) {
                    throw e;
                }
            }
        }
    }

    /**
     * Returns false if the entity is stopped. No stop is missed: either it finds the latch, or this thread sees the
     * phase.
     */
    private boolean pauses(Duration pause) throws InterruptedException {
        var latch = new CountDownLatch(1);
        retry = latch;
        if (isLeaving()) {
            return false;
        }
        long nanos = TimeUnit.NANOSECONDS.convert(pause);
        Control control = Control.ofCurrentThread();
        if (control != null) {
            control.await(() -> latch.getCount() == 0, nanos, true, "the next try to begin entity " + this);
            nanos = 0;
        }
        return !latch.await(nanos, TimeUnit.NANOSECONDS);
    }

    private void end() {
        leave();
        try {
            EntityBehavior<M, R> b = behavior;
            if (b != null) {
                b.onEnd();
            }
        } catch (Exception e) {
            entities.cannotEnd(this, e);
        } finally {
            removedItself = true; // before the removal: see LocalEntities
            entities.remove(key, actor);
        }
    }

    /** The label of its actor. */
    @Override
    public String toString() {
        return entities.name() + "/" + key;
    }
}
