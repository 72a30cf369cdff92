package io.fibry.topic;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorContext;
import io.fibry.ActorSystem;
import io.fibry.ForwardingActor;
import io.fibry.Overflow;
import io.fibry.ThreadStrategy;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * An actor that passes each of its messages on to all of its subscribers, which are actors, too. All subscribers get the messages
 * in the same order. Any thread may call any method.
 *
 * {@snippet class = "ShapeSnippets" region = "topic"}
 *
 * <p><b>Slow subscribers.</b> A topic never waits for a subscriber, so a slow one delays neither the publishers nor the other
 * subscribers. What happens to a message for a full mailbox is up to the subscriber:
 *
 * <ul>
 *   <li>{@link #subscribe(Actor)} uses the subscriber's own mailbox. Without a limit it takes every message, and with
 *       {@link Overflow#DROP_OLDEST} as well. If another limit has been reached, the subscriber misses the message. That is counted,
 *       and logged at most once a second.
 *   <li>{@link #subscribe(Actor, int, Overflow)} gives the subscription a queue of its own, in which messages wait for a mailbox
 *       with {@link Overflow#BLOCK}.
 * </ul>
 *
 * <p><b>End.</b> A subscriber that has ended is dropped at once. A topic that is stopped passes on the messages that it has accepted,
 * unless the {@link io.fibry.StopMode} says otherwise. Its end does not stop its subscribers; see {@link #closeOnExit}.
 *
 * @param <M> the type of the messages
 */
public final class Topic<M> extends ForwardingActor<M> {

    private record Relay(Actor<?> topic, Actor<?> subscriber) {
        @Override
        public String toString() {
            return topic.name() + ", queue of " + subscriber.name();
        }
    }

    private final ActorContext<Object> context;
    private final Subscriptions<M> subscriptions;

    private Topic(Actor<M> actor, ActorContext<Object> context, Subscriptions<M> subscriptions) {
        super(actor);
        this.context = context;
        this.subscriptions = subscriptions;
    }

    /**
     * Starts a topic.
     *
     * @throws IllegalStateException if the system is closed, or the name is taken
     */
    @SuppressWarnings("unchecked") // the actor takes any message, and the handle restricts them
    public static <M> Topic<M> start(ActorBuilder<Object> builder, TopicOptions options) {
        var context = new CompletableFuture<ActorContext<Object>>();
        var subscriptions = new CompletableFuture<Subscriptions<M>>();
        Actor<Object> actor = options.applyTo(builder).newActorFrom((ActorContext<Object> c) -> {
            var made = new Subscriptions<M>(c, options.keepLast());
            context.complete(c);
            subscriptions.complete(made);
            return made::handle;
        });
        actor.closeOnExit(subscriptions.join()::end);
        var topic = new Topic<>((Actor<M>) (Actor<?>) actor, context.join(), subscriptions.join());
        topic.beFoundByName();
        return topic;
    }

    /**
     * The living topic with this name. The caller must know the type of its messages: it is not checked.
     *
     * @return empty if no actor has this name, or the actor is not a topic
     * @throws IllegalArgumentException if the name is blank
     */
    public static <M> Optional<Topic<M>> find(ActorSystem system, String name) {
        return system.<M>find(name).filter(Topic.class::isInstance).map(found -> (Topic<M>) found);
    }

    /** Passes a message on to all subscribers. The same as {@link #tell}, which says what it throws. */
    public void publish(M message) {
        tell(message);
    }

    /**
     * Subscribes an actor: it gets each message that the topic passes on from now on, and, with {@link TopicOptions#keepLast}, the
     * last one before them. A message for which its mailbox has no room passes it by. If it is subscribed already, this replaces
     * the subscription.
     *
     * @throws IllegalArgumentException if it is this topic itself, or not an actor of this library, or does not exist yet
     * @throws io.fibry.ActorStoppedException if this topic has ended
     */
    public void subscribe(Actor<? super M> subscriber) {
        subscriptions.add(new Subscription<>(Objects.requireNonNull(subscriber, "subscriber"), null));
    }

    /**
     * Subscribes an actor through a queue of its own: for an actor that makes its senders wait, because its mailbox is bounded with
     * {@link Overflow#BLOCK}. The queue waits for room in that mailbox, on a virtual thread, and the topic does not.
     *
     * @param capacity how many messages may wait in the queue
     * @param overflow what happens to a message if the queue is full: it is dropped, or the oldest one is, or, with
     *     {@link Overflow#FAIL}, the subscription ends, and a line in the log says so
     * @throws IllegalArgumentException if the capacity is less than 1; if the policy is {@link Overflow#BLOCK}, since the topic does
     *     not wait; if the subscriber's mailbox has no limit, since then nothing would ever wait in the queue; or as
     *     {@link #subscribe(Actor)}
     * @throws io.fibry.ActorStoppedException if this topic has been stopped
     */
    public void subscribe(Actor<? super M> subscriber, int capacity, Overflow overflow) {
        Objects.requireNonNull(subscriber, "subscriber");
        if (overflow == Overflow.BLOCK) {
            throw new IllegalArgumentException(
                    "a topic does not wait for a subscriber, so the queue cannot have the policy"
                            + " BLOCK; use DROP_OLDEST, DROP_NEWEST or FAIL");
        }
        requireLimit(subscriber);
        Actor<M> relay = context.spawn()
                .strategy(ThreadStrategy.virtual())
                .label(new Relay(context.self(), subscriber))
                .bounded(capacity, overflow)
                .newActorFrom(own -> message -> Subscription.relay(
                        message, subscriber, own.self(), () -> subscriptions.missed(subscriber, "no room")));
        boolean added = false;
        try {
            subscriptions.add(new Subscription<>(subscriber, relay));
            added = true;
        } finally {
            if (!added) {
                relay.stop();
            }
        }
    }

    private static void requireLimit(Actor<?> subscriber) {
        try {
            int unused = subscriber.mailboxSize();
        } catch (UnsupportedOperationException e) {
            throw new IllegalArgumentException(
                    "the mailbox of actor " + subscriber.name() + " has no limit, so messages for it never wait;"
                            + " make the actor with bounded(..), or subscribe it without a queue",
                    e);
        }
    }

    /**
     * Ends the subscription of an actor. A message that the topic is passing on at this moment may still arrive; those in a queue of
     * the subscription become dead letters.
     *
     * @return false if the actor was not subscribed
     */
    public boolean unsubscribe(Actor<? super M> subscriber) {
        return subscriptions.remove(Objects.requireNonNull(subscriber, "subscriber"));
    }

    /** The counters since the start. */
    public TopicStats stats() {
        return subscriptions.stats();
    }

    @Override
    public Topic<M> closeOnExit(AutoCloseable... resources) {
        super.closeOnExit(resources);
        return this;
    }
}
