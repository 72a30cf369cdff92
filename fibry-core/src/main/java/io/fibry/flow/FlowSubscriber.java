package io.fibry.flow;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorContext;
import io.fibry.ActorStoppedException;
import io.fibry.ForwardingActor;
import io.fibry.MailboxFullException;
import io.fibry.Overflow;
import io.fibry.Supervision;
import io.fibry.ThrowingConsumer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An actor that subscribes to a {@link Flow.Publisher} and handles its items one at a time, in order. It requests more
 * items as it handles them; at most a fixed number of items wait in its mailbox (backpressure). To forward the items to
 * another actor, use its {@code tell} as the behavior. If the mailbox of that actor is bounded with
 * {@link io.fibry.Overflow#BLOCK}, the actor slows the publisher down.
 *
 * {@snippet class = "FlowSnippets" region = "subscriber"}
 *
 * <p><b>End.</b> When the publisher completes, the actor handles the received items and ends. When the publisher fails,
 * the actor handles the received items and then fails with that cause: see {@link #exit}. When the behavior fails, the
 * actor cancels its subscription and fails. A stopped actor cancels its subscription at its end, and drops items that
 * arrive after the stop.
 *
 * <p>An actor accepts one subscription. It cancels any further subscription at once. A publisher may call the methods
 * of {@code Flow.Subscriber} on any thread.
 *
 * @param <T> the type of the items
 */
public final class FlowSubscriber<T> extends ForwardingActor<Void> implements Flow.Subscriber<T> {

    /** The mailbox also has room for the first and the last message. */
    private static final int MAX_WINDOW = Integer.MAX_VALUE - 2;

    /** The first message, sent when the subscription starts. */
    private static final Object SUBSCRIBED = new Object();

    /** The last message, sent when the publisher fails. */
    private record Failed(Throwable cause) {}

    /** Replaces the subscription after the end. */
    private static final Flow.Subscription OVER = new Flow.Subscription() {
        @Override
        public void request(long n) {}

        @Override
        public void cancel() {}
    };

    /**
     * The actor's side of the subscription. Only the actor's turns call it, which makes the calls serial, as rule 2.7
     * of the specification requires.
     */
    private static final class Upstream {
        private final AtomicReference<Flow.@Nullable Subscription> subscription = new AtomicReference<>();
        private final int window;
        private volatile boolean stopping; // stopped, or ended by the publisher: no further requests
        private volatile boolean ended; // by the publisher: nothing to cancel
        private int handled; // since the last request

        Upstream(int window) {
            this.window = window;
        }

        /** Any thread. Returns false if there is another subscription, or the actor has ended. */
        boolean begins(Flow.Subscription s) {
            return subscription.compareAndSet(null, s);
        }

        void requestAll() {
            request(window);
        }

        /** Requests half a window at a time: fewer calls than one per item, and no idle publisher. */
        void countHandled() {
            handled++;
            if (handled >= (window + 1) / 2) {
                request(handled);
                handled = 0;
            }
        }

        private void request(int n) {
            Flow.Subscription s = subscription.get();
            if (s != null && !stopping) {
                s.request(n);
            }
        }

        /** Called in the last turn of the actor. From then on {@link #begins} returns false. */
        void end() {
            Flow.Subscription s = subscription.getAndSet(OVER);
            if (s != null && !ended) {
                s.cancel();
            }
        }
    }

    private final Actor<Object> actor;
    private final ActorContext<Object> context;
    private final Upstream upstream;

    private FlowSubscriber(Actor<Object> actor, ActorContext<Object> context, Upstream upstream) {
        super(nothing(actor));
        this.actor = actor;
        this.context = context;
        this.upstream = upstream;
    }

    @SuppressWarnings("unchecked") // only the publisher sends messages
    private static Actor<Void> nothing(Actor<Object> actor) {
        return (Actor<Void>) (Actor<?>) actor;
    }

    /**
     * Starts a subscriber. Pass it to {@link Flow.Publisher#subscribe}.
     *
     * @param window the maximum number of requested items that have not been handled
     * @param behavior handles an item; it may block
     * @throws IllegalArgumentException if the window is less than 1 or more than 2,147,483,645; or if the builder has
     *     {@link ActorBuilder#bounded}, {@link ActorBuilder#priority} or {@link ActorBuilder#supervision}, which the
     *     subscriber sets itself
     * @throws IllegalStateException if the system is closed, or the name is taken
     */
    public static <T> FlowSubscriber<T> start(ActorBuilder<Object> builder, int window, ThrowingConsumer<T> behavior) {
        Objects.requireNonNull(behavior, "behavior");
        if (window < 1 || window > MAX_WINDOW) {
            throw new IllegalArgumentException("the window must be from 1 to " + MAX_WINDOW + ", not " + window);
        }
        var upstream = new Upstream(window);
        var context = new CompletableFuture<ActorContext<Object>>();
        Actor<Object> actor = builder.checkNoMailbox("the window is the limit of the mailbox")
                .checkNoSupervision("a failure stops a subscriber; catch exceptions in its behavior")
                .copy()
                .bounded(window + 2, Overflow.FAIL) // see MAX_WINDOW
                .supervision(Supervision.stop())
                .onStopRequested(mode -> upstream.stopping = true)
                .onStop(exit -> upstream.end())
                .newActorFrom(c -> {
                    context.complete(c);
                    return message -> handle(upstream, behavior, message);
                });
        var subscriber = new FlowSubscriber<T>(actor, context.join(), upstream);
        subscriber.beFoundByName();
        return subscriber;
    }

    @SuppressWarnings("unchecked") // the others are items
    private static <T> void handle(Upstream upstream, ThrowingConsumer<T> behavior, Object message) throws Exception {
        if (message == SUBSCRIBED) {
            upstream.requestAll();
        } else if (message instanceof Failed failed) {
            throw asException(failed.cause);
        } else {
            behavior.accept((T) message);
            upstream.countHandled();
        }
    }

    private static Exception asException(Throwable t) {
        if (t instanceof Error error) {
            throw error;
        }
        return t instanceof Exception e ? e : new IllegalStateException("the publisher has failed", t);
    }

    // ---- called by the publisher

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        Objects.requireNonNull(subscription, "subscription");
        if (upstream.begins(subscription)) {
            accept(SUBSCRIBED); // if it is refused, the actor's end cancels the subscription
        } else {
            subscription.cancel();
        }
    }

    @Override
    public void onNext(T item) {
        accept(Objects.requireNonNull(item, "item"));
    }

    @Override
    public void onError(Throwable cause) {
        Objects.requireNonNull(cause, "cause");
        upstream.ended = true;
        accept(new Failed(cause));
    }

    @Override
    public void onComplete() {
        upstream.ended = true;
        stop();
    }

    private void accept(Object message) {
        try {
            actor.tell(message);
        } catch (MailboxFullException e) {
            failAtOnce(new IllegalStateException("the publisher has sent more items than requested (rule 1.1)"));
        } catch (ActorStoppedException ignored) { // items after a stop are dropped
            return;
        }
    }

    private void failAtOnce(Throwable cause) {
        try {
            context.pipeToSelf(CompletableFuture.failedFuture(cause), (nothing, t) -> new Failed(cause));
        } catch (ActorStoppedException ignored) { // as above
            return;
        }
    }
}
