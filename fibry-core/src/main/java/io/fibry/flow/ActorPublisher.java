package io.fibry.flow;

import io.fibry.Actor;
import io.fibry.ActorContext;
import io.fibry.ActorExit;
import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.Overflow;
import io.fibry.StopMode;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingConsumer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Subscribes one serving actor per subscriber. Items wait in its mailbox.
 *
 * <p>The first signal is sent in the turn of a separate message, which precedes the items and is exempt from the
 * capacity. The end of the source drains the serving actor: it sends the waiting items, and the last signal in its stop
 * hook.
 */
record ActorPublisher<T>(
        ActorSystem system, Actor<?> source, Consumer<Actor<T>> subscribe, int capacity, Overflow overflow)
        implements Flow.Publisher<T> {

    private static final Object BEGIN = new Object();

    @Override
    @SuppressWarnings("unchecked") // only the source sends messages to this actor
    public void subscribe(Flow.Subscriber<? super T> subscriber) {
        var server = new CompletableFuture<Actor<Object>>();
        var outlet = new Outlet<T>(subscriber, () -> server.join().stop(StopMode.DISCARD));
        var exit = new AtomicReference<ActorExit>();
        Actor<Object> actor;
        try {
            actor = system.actor()
                    .strategy(ThreadStrategy.virtual())
                    .label(this)
                    .bounded(capacity, overflow)
                    .onStop(own -> end(outlet, exit.get()))
                    .newActorFrom((ActorContext<Object> context) -> {
                        server.complete(context.self());
                        return begun(context, outlet, exit);
                    });
        } catch (IllegalStateException e) { // the system is closed
            outlet.end(Publishers.stopped(source, e));
            return;
        }
        try {
            subscribe.accept((Actor<T>) (Actor<?>) actor);
        } catch (ActorStoppedException e) { // the source has ended: the watch has the reason
            return;
        }
    }

    @SuppressWarnings("unchecked") // as above
    private ThrowingConsumer<Object> begun(
            ActorContext<Object> context, Outlet<T> outlet, AtomicReference<ActorExit> exit) {
        context.pipeToSelf(CompletableFuture.completedFuture(BEGIN), (begin, failure) -> BEGIN);
        context.watch(source, ended -> {
            exit.set(ended);
            context.self().stop();
        });
        return message -> {
            if (message == BEGIN) {
                outlet.begin();
            } else {
                boolean unused = outlet.send((T) message);
            }
        };
    }

    private void end(Outlet<T> outlet, @Nullable ActorExit exit) {
        boolean complete = exit != null && exit.isNormal();
        outlet.end(complete ? null : Publishers.stopped(source, null));
    }

    /** The label of the serving actor. */
    @Override
    public String toString() {
        return "publisher of " + source;
    }
}
