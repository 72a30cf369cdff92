package io.fibry.flow;

import io.fibry.Actor;
import io.fibry.ActorInterruptedException;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import java.util.Iterator;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Reads a source for one subscriber. */
record IterablePublisher<T>(ActorSystem system, Iterable<T> source, Runnable release) implements Flow.Publisher<T> {

    @Override
    public void subscribe(Flow.Subscriber<? super T> subscriber) {
        var outlet = new Outlet<T>(subscriber, release);
        var served = new AtomicBoolean();
        try {
            Actor<Void> unused = system.actor()
                    .strategy(ThreadStrategy.virtual())
                    .label(this)
                    .onStop(exit -> {
                        if (served.get()) {
                            outlet.end(Publishers.stopped(source, null)); // if an Error of the source has not yet
                        } else {
                            refuse(outlet, null);
                        }
                    })
                    .runOnce(() -> {
                        served.set(true);
                        serve(outlet);
                    });
        } catch (IllegalStateException e) { // the system is closed
            refuse(outlet, e);
        }
    }

    /** Ends a subscription that was not served. Releases the source, unless it refuses to give out an iterator. */
    private void refuse(Outlet<T> outlet, @Nullable Throwable cause) {
        try {
            if (isFree()) {
                release.run();
            }
        } finally {
            outlet.end(Publishers.stopped(source, cause));
        }
    }

    /** Whether the source gives out an iterator. A source that can be read only once then refuses further ones. */
    private boolean isFree() {
        try {
            Iterator<T> unused = source.iterator();
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    private void serve(Outlet<T> outlet) {
        Iterator<T> items;
        try {
            items = source.iterator();
        } catch (RuntimeException e) { // it is being read already
            outlet.end(e);
            return;
        }
        outlet.begin();
        boolean complete = false;
        try {
            sendAll(items, outlet);
            complete = true;
        } catch (InterruptedException | ActorInterruptedException e) {
            outlet.end(Publishers.stopped(source, null));
        } catch (Throwable t) { // of the source
            outlet.end(t);
        } finally {
            if (!complete) {
                release.run();
            }
        }
    }

    /**
     * Sends all items, unless the subscription ends earlier. Calls {@code hasNext} before the first request: an empty
     * source completes without one.
     */
    private static <T> void sendAll(Iterator<T> items, Outlet<T> outlet) throws InterruptedException {
        while (items.hasNext()) {
            if (!outlet.send(items.next())) {
                break;
            }
        }
        outlet.end(null);
    }

    /** The label of the serving actor. */
    @Override
    public String toString() {
        return "publisher of " + source;
    }
}
