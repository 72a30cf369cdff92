package io.fibry.topic;

import io.fibry.Actor;
import io.fibry.ActorContext;
import io.fibry.ActorStoppedException;
import io.fibry.dispatch.LogLimit;
import io.fibry.dispatch.LogText;
import io.fibry.kernel.Handles;
import io.fibry.topic.Subscription.Outcome;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The subscribers of a topic, and its last message.
 *
 * <p>Any thread adds and removes subscribers, under the lock. The topic's turns forward messages without the lock, to a
 * list that is copied after changes only. The lock is held at most for the time of a copy.
 *
 * <p><b>A late subscriber receives every message once, in order.</b> A turn publishes atomically under the lock: it
 * replaces the last message and takes the list. Adding a subscriber is also atomic: it takes the last message and
 * enters the list. If the subscriber is added first, it is in the list of that turn, and its first message is the
 * preceding one. Otherwise its first message is that of the turn, and it is not in the list. The first message is also
 * sent in a turn: a turn that the new subscriber has requested, or the turn of the next message, whichever runs first.
 *
 * <p><b>No subscription outlives its subscriber.</b> A thread that has added or removed a subscription watches the
 * actor if the map contains it, and ends the watch otherwise. It then reads the map again, and repeats this step until
 * the map agrees with it. The last of these steps by all threads therefore agrees with the map, since each change is
 * followed by a step of its thread. If the map contains the actor, this last step is a watch. It fires at the end of
 * the actor, or at once if the actor has ended, and removes the subscription. Removals after the end of the actor or of
 * the topic need no step. A {@code tell} to a stopped subscriber removes the subscription, too.
 */
final class Subscriptions<M> {

    private static final Logger LOG = LoggerFactory.getLogger(LocalTopic.class);

    private final ActorContext<Object> context;
    private final boolean keepLast;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Actor<?>, Subscription<M>> all =
            new LinkedHashMap<>(); // guarded by the lock, as are the next four
    private @Nullable List<Subscription<M>> copy;
    private @Nullable M last;
    private long published;
    private boolean ended;

    private final LongAdder missed = new LongAdder();
    private final LogLimit log = new LogLimit();

    Subscriptions(ActorContext<Object> context, boolean keepLast) {
        this.context = context;
        this.keepLast = keepLast;
    }

    // ---- by any thread

    /** Adds a subscription, replacing an existing one of the same subscriber. */
    void add(Subscription<M> added) {
        if (added.actor == Handles.unwrapped(context.self())) {
            throw new IllegalArgumentException("a topic cannot subscribe to itself");
        }
        if (!isAdded(added)) {
            added.end();
            throw new ActorStoppedException("topic " + name() + " has been stopped", null);
        }
        boolean begun = false;
        try {
            adjustWatch(added.actor);
            context.pipeToSelf(CompletableFuture.completedFuture(added), (value, failure) -> added);
            begun = true;
        } finally {
            if (!begun) {
                endIfPresent(added);
            }
        }
    }

    private boolean isAdded(Subscription<M> added) {
        Subscription<M> before = null;
        lock.lock();
        try {
            if (ended) {
                return false;
            }
            added.beginWith(last);
            before = all.put(added.actor, added);
            copy = null;
        } finally {
            lock.unlock();
        }
        if (before != null) {
            before.end();
        }
        return true;
    }

    /** Removes the subscription of an actor. Returns false if it had none. */
    boolean remove(Actor<?> subscriber) {
        Actor<?> actor = Handles.unwrapped(subscriber);
        Subscription<M> removed = taken(actor);
        if (removed == null) {
            return false;
        }
        removed.end();
        adjustWatch(actor);
        return true;
    }

    private @Nullable Subscription<M> taken(Actor<?> actor) {
        lock.lock();
        try {
            copy = null;
            return all.remove(actor);
        } finally {
            lock.unlock();
        }
    }

    /** Watches an actor that is subscribed, and ends the watch of any other. Called after a change of the map. */
    private void adjustWatch(Actor<?> actor) {
        boolean watched;
        do {
            watched = isSubscribed(actor);
            if (watched) {
                context.watch(actor, exit -> subscriberHasEnded(actor));
            } else {
                context.unwatch(actor);
            }
        } while (watched != isSubscribed(actor));
    }

    private boolean isSubscribed(Actor<?> actor) {
        lock.lock();
        try {
            return all.containsKey(actor);
        } finally {
            lock.unlock();
        }
    }

    /** Ends a subscription, but not a later one of the same actor. Returns false if it has been removed before. */
    private boolean endIfPresent(Subscription<M> subscription) {
        if (!drop(subscription)) {
            return false;
        }
        subscription.end();
        adjustWatch(subscription.actor);
        return true;
    }

    // ---- in a turn of the topic

    private void subscriberHasEnded(Actor<?> actor) {
        Subscription<M> removed = taken(actor);
        if (removed != null) {
            removed.end();
        }
    }

    /**
     * Handles a message of the topic: a published message, or the request of a new subscription for its first message.
     */
    @SuppressWarnings("unchecked") // the topic receives no other messages
    void handle(Object message) {
        if (message instanceof Subscription<?> begun) {
            pass((Subscription<M>) begun, null);
        } else {
            passToAll((M) message);
        }
    }

    /** Forwards a message. The first failure is thrown once all subscribers have been tried. */
    private void passToAll(M message) {
        Throwable first = null;
        for (Subscription<M> subscription : next(message)) {
            try {
                pass(subscription, message);
            } catch (Throwable t) {
                first = first == null ? t : first;
            }
        }
        if (first instanceof Error error) {
            throw error;
        }
        if (first instanceof RuntimeException e) { // for instance of the logger
            throw e;
        }
    }

    /** Forwards the retained message, unless it has been forwarded, and then this one, if there is one. */
    private void pass(Subscription<M> subscription, @Nullable M message) {
        M first = subscription.takeFirst();
        try {
            if (first != null) {
                forward(subscription, first);
            }
        } finally {
            if (message != null) {
                forward(subscription, message);
            }
        }
    }

    private void forward(Subscription<M> subscription, M message) {
        Outcome outcome;
        try {
            outcome = subscription.pass(message);
        } catch (Error e) { // has no line here, since it becomes a failure of the topic
            missed.increment();
            throw e;
        } catch (Throwable t) { // for instance of the comparator of the subscriber's mailbox
            missed(subscription.subscriber, t.toString());
            return;
        }
        switch (outcome) {
            case PASSED -> {}
            case MISSED -> missed(subscription.subscriber, "no room");
            case QUEUE_FULL -> endFull(subscription);
            case OVER -> drop(subscription);
        }
    }

    /** Removes a subscription, but not a later one of the same actor. */
    private boolean drop(Subscription<M> subscription) {
        lock.lock();
        try {
            copy = null;
            return all.remove(subscription.actor, subscription);
        } finally {
            lock.unlock();
        }
    }

    private void endFull(Subscription<M> subscription) {
        if (endIfPresent(subscription)) {
            LOG.warn(
                    "Topic {}: the subscription of {} ends, since its queue is full",
                    LogText.plain(name()),
                    LogText.plain(subscription.subscriber.name()));
        }
    }

    private List<Subscription<M>> next(M message) {
        lock.lock();
        try {
            published++;
            if (keepLast) {
                last = message;
            }
            List<Subscription<M>> present = copy != null ? copy : List.copyOf(all.values());
            copy = present;
            return present;
        } finally {
            lock.unlock();
        }
    }

    /** Counts and logs a missed message. Also called by relays. */
    void missed(Actor<?> subscriber, String why) {
        missed.increment();
        if (log.tryLog()) {
            LOG.warn(
                    "Topic {}: subscriber {} has missed a message: {}; missed before, without a line: {}",
                    LogText.plain(name()),
                    LogText.plain(subscriber.name()),
                    LogText.plain(why),
                    log.takeSuppressed());
        }
    }

    private String name() {
        return context.self().name();
    }

    /** Removes all subscriptions after the end of the topic. */
    void end() {
        lock.lock();
        try {
            ended = true;
            all.clear();
            copy = null;
            last = null;
        } finally {
            lock.unlock();
        }
    }

    TopicStats stats() {
        lock.lock();
        try {
            return new TopicStats(all.size(), published, missed.sum());
        } finally {
            lock.unlock();
        }
    }
}
