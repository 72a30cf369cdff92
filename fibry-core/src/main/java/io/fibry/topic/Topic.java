package io.fibry.topic;

import io.fibry.Actor;
import io.fibry.Overflow;

/**
 * Forwards each message to all of its subscribers, which are actors. All methods are safe for use by any thread.
 *
 * {@snippet class = "ShapeSnippets" region = "topic"}
 *
 * <p>{@code Stereotypes.topic} starts a topic on this machine, a {@link LocalTopic}. A topic of a cluster has the same
 * interface, and subscribers on several machines. The subscribers on one machine receive the messages of one publisher
 * in order; on a {@code LocalTopic}, all subscribers receive all messages in the same order.
 *
 * @param <M> the type of the messages
 */
public interface Topic<M> extends AutoCloseable {

    /** Returns the name of the topic. */
    String name();

    /**
     * Forwards a message to all subscribers. Does not wait for them.
     *
     * @throws io.fibry.ActorStoppedException if this topic has been stopped
     */
    void publish(M message);

    /**
     * Subscribes an actor of this machine. It receives every later message. While its mailbox is full, its messages are
     * dropped. A second subscription of the same actor replaces the first.
     *
     * @throws IllegalArgumentException if the actor is this topic, is not an actor of this library, or does not exist
     *     yet
     * @throws io.fibry.ActorStoppedException if this topic has ended
     */
    void subscribe(Actor<? super M> subscriber);

    /**
     * Subscribes an actor of this machine through a queue, for an actor whose mailbox is bounded with
     * {@link Overflow#BLOCK}.
     *
     * @param capacity the capacity of the queue
     * @param overflow the policy for a full queue: the new or the oldest message is dropped, or, with
     *     {@link Overflow#FAIL}, the subscription ends and a warning is logged
     * @throws IllegalArgumentException if the capacity is less than 1, the policy is {@link Overflow#BLOCK}, the
     *     subscriber's mailbox is unbounded, or as for {@link #subscribe(Actor)}
     * @throws io.fibry.ActorStoppedException if this topic has been stopped
     */
    void subscribe(Actor<? super M> subscriber, int capacity, Overflow overflow);

    /**
     * Ends the subscription of an actor. A message that the topic is forwarding concurrently may still arrive.
     *
     * @return false if the actor was not subscribed
     */
    boolean unsubscribe(Actor<? super M> subscriber);

    /** Returns the counters of this machine since the start. */
    TopicStats stats();

    /** Stops this topic, forwards its accepted messages, and waits. Its subscribers are not stopped. */
    @Override
    void close();
}
