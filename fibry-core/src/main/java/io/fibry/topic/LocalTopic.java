package io.fibry.topic;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorContext;
import io.fibry.ActorSystem;
import io.fibry.ForwardingActor;
import io.fibry.Overflow;
import io.fibry.ThreadStrategy;
import io.fibry.dispatch.LogText;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A {@link Topic} on this machine: an actor that forwards each message to all of its subscribers, in the same order.
 *
 * {@snippet class = "ShapeSnippets" region = "topic"}
 *
 * <p><b>Slow subscribers.</b> A topic never waits for a subscriber: a slow subscriber delays neither the publishers nor
 * the other subscribers. The subscription determines the fate of a message for a full mailbox:
 *
 * <ul>
 *   <li>{@link #subscribe(Actor)} uses the subscriber's own mailbox. An unbounded mailbox accepts every message, and so
 *       does one with {@link Overflow#DROP_OLDEST}. If any other mailbox is full, the message is dropped and counted,
 *       and a line is logged at most once per second.
 *   <li>{@link #subscribe(Actor, int, Overflow)} adds a queue to the subscription, in which messages wait for a mailbox
 *       with {@link Overflow#BLOCK}.
 * </ul>
 *
 * <p><b>End.</b> A stopped subscriber is removed at once. A draining topic forwards its accepted messages; harder
 * {@linkplain io.fibry.StopMode modes} discard them. The end of a topic does not stop its subscribers; see
 * {@link #closeOnExit}.
 *
 * @param <M> the type of the messages
 */
public final class LocalTopic<M> extends ForwardingActor<M> implements Topic<M> {

    private record Relay(Actor<?> topic, Actor<?> subscriber) {
        @Override
        public String toString() {
            return topic.name() + ", queue of " + subscriber.name();
        }
    }

    private final ActorContext<Object> context;
    private final Subscriptions<M> subscriptions;

    private LocalTopic(Actor<M> actor, ActorContext<Object> context, Subscriptions<M> subscriptions) {
        super(actor);
        this.context = context;
        this.subscriptions = subscriptions;
    }

    /**
     * Starts a topic.
     *
     * @throws IllegalArgumentException if the builder has {@link ActorBuilder#bounded} or
     *     {@link ActorBuilder#priority}, since the options have the limit of the mailbox, or
     *     {@link ActorBuilder#supervision}, since a restart would lose the subscriptions
     * @throws IllegalStateException if the system is closed, or the name is taken
     */
    @SuppressWarnings("unchecked") // the actor takes any message, and the handle restricts them
    public static <M> LocalTopic<M> start(ActorBuilder<Object> builder, TopicOptions options) {
        var context = new CompletableFuture<ActorContext<Object>>();
        var subscriptions = new CompletableFuture<Subscriptions<M>>();
        Actor<Object> actor = options.applyTo(builder.checkNoMailbox("use TopicOptions.bounded(..)")
                        .checkNoSupervision("a failed topic keeps its subscribers, and forwards the next message")
                        .copy())
                .newActorFrom((ActorContext<Object> c) -> {
                    var made = new Subscriptions<M>(c, options.keepLast());
                    context.complete(c);
                    subscriptions.complete(made);
                    return made::handle;
                });
        actor.closeOnExit(subscriptions.join()::end);
        var topic = new LocalTopic<>((Actor<M>) (Actor<?>) actor, context.join(), subscriptions.join());
        topic.beFoundByName();
        return topic;
    }

    /**
     * Returns the living topic with this name. The type of its messages is not checked: the caller must know it.
     *
     * @return empty if no actor has this name, or the actor is not a topic
     * @throws IllegalArgumentException if the name is blank
     */
    public static <M> Optional<LocalTopic<M>> find(ActorSystem system, String name) {
        return system.<M>find(name).filter(LocalTopic.class::isInstance).map(found -> (LocalTopic<M>) found);
    }

    /** Forwards a message to all subscribers. Equivalent to {@link #tell}, with the same exceptions. */
    @Override
    public void publish(M message) {
        tell(message);
    }

    /**
     * Subscribes an actor. It receives every later message and, with {@link TopicOptions#keepLast}, first the last
     * message that was published. While its mailbox is full, its messages are dropped. A second subscription of the
     * same actor replaces the first.
     *
     * @throws IllegalArgumentException if the actor is this topic, is not an actor of this library, or does not exist
     *     yet
     * @throws io.fibry.ActorStoppedException if this topic has ended
     */
    @Override
    public void subscribe(Actor<? super M> subscriber) {
        subscriptions.add(new Subscription<>(Objects.requireNonNull(subscriber, "subscriber"), null));
    }

    /**
     * Subscribes an actor through a queue, for an actor whose mailbox is bounded with {@link Overflow#BLOCK}. A virtual
     * thread forwards messages from the queue and blocks while that mailbox is full; the topic does not.
     *
     * @param capacity the capacity of the queue
     * @param overflow the policy for a full queue: the new or the oldest message is dropped, or, with
     *     {@link Overflow#FAIL}, the subscription ends and a warning is logged
     * @throws IllegalArgumentException if the capacity is less than 1; if the policy is {@link Overflow#BLOCK}, because
     *     the topic never blocks; if the subscriber's mailbox is unbounded, because the queue would have no effect; or
     *     as for {@link #subscribe(Actor)}
     * @throws io.fibry.ActorStoppedException if this topic has been stopped
     */
    @Override
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
        if (subscriber.mailboxSize().isEmpty()) {
            throw new IllegalArgumentException("the mailbox of actor " + LogText.plain(subscriber.name())
                    + " has no limit, so messages for it never wait;"
                    + " make the actor with bounded(..), or subscribe it without a queue");
        }
    }

    /**
     * Ends the subscription of an actor. A message that the topic is forwarding concurrently may still arrive. Messages
     * in the queue of the subscription become dead letters.
     *
     * @return false if the actor was not subscribed
     */
    @Override
    public boolean unsubscribe(Actor<? super M> subscriber) {
        return subscriptions.remove(Objects.requireNonNull(subscriber, "subscriber"));
    }

    @Override
    public TopicStats stats() {
        return subscriptions.stats();
    }

    @Override
    public void close() {
        super.close();
    }

    @Override
    public LocalTopic<M> closeOnExit(AutoCloseable... resources) {
        super.closeOnExit(resources);
        return this;
    }
}
