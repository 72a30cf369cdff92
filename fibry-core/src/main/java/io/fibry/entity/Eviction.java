package io.fibry.entity;

import io.fibry.Actor;
import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.dispatch.Alarm;
import io.fibry.dispatch.Durations;
import io.fibry.dispatch.OutOfMemory;
import io.fibry.dispatch.Time;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Stops idle entities, and entities in excess of {@link EntityOptions#maxInMemory(int)}, in the order of their last
 * uses. It selects only entities that are not running. The sender that has created an entity examines the first few
 * candidates for it. If all of these are running, a helper actor examines the others later. The helper also stops idle
 * entities.
 */
final class Eviction {

    /** The time between two checks while busy entities exceed the limit. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(250);

    /** The number of entities that a sender examines to find one that is not running. */
    private static final int FEW = 8;

    private static final Object LOOK = new Object();

    private static final BiConsumer<Recency, Entity<?, ?, ?>> ADD = Recency::add;
    private static final Consumer<Eviction> CHECK_FEW = Eviction::checkFew;
    private static final Consumer<Eviction> CHECK_ALL = Eviction::checkAll;

    private final int maxInMemory;
    private final @Nullable Duration idleTimeout;
    private final boolean ranks;

    /** The clock of last uses; null if the order of the uses matters, or entities never end by themselves. */
    private final @Nullable IdleClock clock;

    private final Recency recency = new Recency();
    private final AtomicInteger inMemory = new AtomicInteger(); // without the ones that are leaving

    /** Stops idle and excess entities; null if the options have neither limit. */
    private final @Nullable Actor<Object> helper;

    /**
     * Whether a check by the helper is pending. It clears the flag first, so it checks every entity that has seen the
     * flag set.
     */
    private final AtomicBoolean lookPlanned = new AtomicBoolean();

    /** @param root the parent of the entities, and of the helper */
    Eviction(EntityOptions options, ActorSystem system, Actor<Void> root) {
        maxInMemory = options.maxInMemory();
        idleTimeout = options.idleTimeout();
        boolean isLimited = maxInMemory < Integer.MAX_VALUE;
        ranks = idleTimeout != null || isLimited;
        clock = idleTimeout == null || isLimited ? null : new IdleClock(idleTimeout);
        helper = ranks ? newHelper(system, root) : null;
    }

    /** Whether entities must record the time of their last use. */
    boolean ranks() {
        return ranks;
    }

    /** The time for the last use of an entity. */
    long now() {
        return clock != null ? clock.now() : Time.nanos();
    }

    /** Called when the creator of an entity has sent its message. The creator has required stack. */
    void entered(Entity<?, ?, ?> entity) {
        if (ranks) {
            OutOfMemory.repeat(ADD, recency, entity); // otherwise it would never be stopped
        }
        inMemory.incrementAndGet();
        OutOfMemory.repeat(CHECK_FEW, this);
    }

    /** Called when an entity that has entered is stopped or ends. */
    void left() {
        inMemory.decrementAndGet();
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
        while (inMemory.get() > maxInMemory) {
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
    private Actor<Object> newHelper(ActorSystem system, Actor<Void> root) {
        Duration idle = idleTimeout;
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

    /** For tests: the number of entries in the {@link Recency}. */
    int places() {
        return recency.size();
    }
}
