package io.fibry.topic;

import io.fibry.Actor;
import io.fibry.ActorInterruptedException;
import io.fibry.ActorStoppedException;
import io.fibry.StopMode;
import io.fibry.kernel.Handles;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** One subscriber of a topic. Only the topic's turns forward messages to it. */
final class Subscription<M> {

    /** The outcome of forwarding a message. */
    enum Outcome {
        PASSED,
        /** The subscriber's mailbox is full. */
        MISSED,
        /** The queue of the subscription is full, and its policy is FAIL. */
        QUEUE_FULL,
        /** The subscriber or the subscription has ended. */
        OVER
    }

    /** The handle that was subscribed, which receives the messages. */
    final Actor<? super M> subscriber;

    /** The actor behind the handle. An actor has one subscription, whichever of its handles was subscribed. */
    final Actor<?> actor;

    /** The actor whose mailbox is the queue of the subscription; null if messages go to the subscriber directly. */
    private final @Nullable Actor<M> relay;

    /**
     * The retained message to send first; null if there is none, or it has been sent. Written before this object is
     * published, then in the turns only.
     */
    private @Nullable M first;

    /** Throws an {@link IllegalArgumentException} if the subscriber cannot be watched. */
    Subscription(Actor<? super M> subscriber, @Nullable Actor<M> relay) {
        this.subscriber = subscriber;
        actor = Handles.existing(subscriber);
        this.relay = relay;
    }

    void beginWith(@Nullable M last) {
        first = last;
    }

    /** Returns the retained message, the first time it is called. */
    @Nullable
    M takeFirst() {
        M message = first;
        first = null;
        return message;
    }

    /** Forwards a message. Never blocks. */
    Outcome pass(M message) {
        try {
            if (relay != null) {
                relay.tell(message); // never blocks: its policy is not BLOCK
                return Outcome.PASSED;
            }
            return subscriber.tryTell(message) ? Outcome.PASSED : Outcome.MISSED;
        } catch (ActorStoppedException e) {
            return Outcome.OVER;
        } catch (RejectedExecutionException e) {
            return relay == null ? Outcome.MISSED : Outcome.QUEUE_FULL;
        }
    }

    /** The behavior of a relay. Blocks if the subscriber's mailbox is full and its policy is BLOCK. */
    static <M> void relay(M message, Actor<? super M> subscriber, Actor<M> relay, Runnable missed) {
        try {
            subscriber.tell(message);
        } catch (ActorStoppedException e) {
            relay.stop(StopMode.DISCARD);
        } catch (ActorInterruptedException e) {
            Thread.currentThread().interrupt(); // the subscription has ended
        } catch (RejectedExecutionException e) {
            missed.run();
        }
    }

    /** Stops the relay, if there is one. Its waiting messages become dead letters. */
    void end() {
        if (relay != null) {
            relay.stop(StopMode.INTERRUPT);
        }
    }
}
