package io.fibry.topic;

import io.fibry.Actor;
import io.fibry.ActorInterruptedException;
import io.fibry.ActorStoppedException;
import io.fibry.StopMode;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** One subscriber of a topic. Messages are passed to it in the topic's turns only. */
final class Subscription<M> {

    /** What became of a message. */
    enum Outcome {
        PASSED,
        /** The subscriber's mailbox has no room. */
        MISSED,
        /** The queue of the subscription is full, and has the policy FAIL. */
        QUEUE_FULL,
        /** The subscriber or the subscription has ended. */
        OVER
    }

    final Actor<? super M> subscriber;

    /** Has the queue of the subscription; null if the subscriber is told directly. */
    private final @Nullable Actor<M> relay;

    /** The message to begin with; null if there is none, or it has been passed on. Written before others see this, then in the turns. */
    private @Nullable M first;

    /** Guarded by the lock of the {@link Subscriptions}. */
    boolean over;

    Subscription(Actor<? super M> subscriber, @Nullable Actor<M> relay) {
        this.subscriber = subscriber;
        this.relay = relay;
    }

    void beginWith(@Nullable M last) {
        first = last;
    }

    /** Passes on the message to begin with, unless that has been done. */
    Outcome begin() {
        M message = first;
        first = null;
        return message == null ? Outcome.PASSED : pass(message);
    }

    /** Passes a message on. Never waits. */
    Outcome next(M message) {
        Outcome begun = begin();
        return begun == Outcome.PASSED ? pass(message) : begun;
    }

    private Outcome pass(M message) {
        try {
            if (relay != null) {
                relay.tell(message); // never waits: its policy is not BLOCK
                return Outcome.PASSED;
            }
            return subscriber.tryTell(message) ? Outcome.PASSED : Outcome.MISSED;
        } catch (ActorStoppedException e) {
            return Outcome.OVER;
        } catch (RejectedExecutionException e) {
            return relay == null ? Outcome.MISSED : Outcome.QUEUE_FULL;
        }
    }

    /** The behavior of a relay. Waits for room if the subscriber's mailbox makes its senders wait. */
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

    /** Ends the relay, if there is one. Its waiting messages become dead letters. */
    void end() {
        if (relay != null) {
            relay.stop(StopMode.INTERRUPT);
        }
    }
}
