package io.fibry.observer;

import com.sun.net.httpserver.HttpExchange;
import io.fibry.ActorSystem;
import io.fibry.dispatch.Durations;
import io.fibry.http.HttpReply;
import io.fibry.kernel.ActorView;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The list of all actors, one page per request. Each request is a pass over all actors, which takes time proportional
 * to their number. It temporarily takes a reference to each actor, and collects those of one page. Only the numbers for
 * the rates are kept, of at most {@value HandledCounts#MOST} actors.
 *
 * <p>Like the snapshots of the {@link SnapshotFeed}, passes take at most a tenth of a core: a pass is followed by a
 * pause ten times as long. A request waits for the end of the pause if it is near, and otherwise gets the status 429.
 */
final class ActorPages {

    private static final int PAUSE_FACTOR = 10;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The longest time that browsers accept for a timer: a longer one ends at once. */
    private static final long LONGEST_PAUSE_MILLIS = Integer.MAX_VALUE;

    private static final double NANOS_OF_MILLI = 1e6;

    private final ActorSystem system;
    private final Supplier<String> ownName;
    private final long intervalMillis;
    private final LongSupplier clock;

    private final ReentrantLock lock = new ReentrantLock(true); // fair: first come, first served
    private final HandledRates rates = new HandledRates(); // guarded by the lock, as are the next two
    private boolean begun;
    private long nextNanos;

    ActorPages(ActorSystem system, Supplier<String> ownName, ObserverOptions options) {
        this(system, ownName, options, System::nanoTime);
    }

    /** Tests have a clock of their own. */
    ActorPages(ActorSystem system, Supplier<String> ownName, ObserverOptions options, LongSupplier clock) {
        this.system = system;
        this.ownName = ownName;
        intervalMillis = TimeUnit.NANOSECONDS.toMillis(Durations.limitedNanos(options.interval()));
        this.clock = clock;
    }

    HttpReply page(HttpExchange exchange) throws InterruptedException {
        ActorQuery query;
        try {
            query = ActorQuery.of(exchange);
        } catch (IllegalArgumentException e) {
            return HttpReply.text(String.valueOf(e.getMessage())).withStatus(400);
        }
        String page = page(query);
        if (page == null) {
            exchange.getResponseHeaders().set("Retry-After", "1");
            return HttpReply.text("The actors have just been listed. Try again in a second.")
                    .withStatus(429);
        }
        return HttpReply.json(page);
    }

    /** The page as JSON; null if it is not yet time for the next pass. */
    @Nullable
    String page(ActorQuery query) throws InterruptedException {
        if (!lock.tryLock(PATIENCE_NANOS, TimeUnit.NANOSECONDS)) {
            return null;
        }
        try {
            long left = begun ? nextNanos - clock.getAsLong() : 0;
            if (left > PATIENCE_NANOS) {
                return null;
            }
            if (left > 0) {
                TimeUnit.NANOSECONDS.sleep(left); // under the lock: no other pass may begin before
            }
            return look(query);
        } finally {
            lock.unlock();
        }
    }

    private String look(ActorQuery query) {
        long start = clock.getAsLong();
        var look = new ActorLook(query, ownName.get(), rates.begin(start));
        ActorView.forEach(system, look::add);
        var json = look.json();
        long cost = clock.getAsLong() - start;
        begun = true;
        nextNanos = start + PAUSE_FACTOR * cost;
        long pause = Math.max(intervalMillis, TimeUnit.NANOSECONDS.toMillis(2 * PAUSE_FACTOR * cost));
        return json.text("system", system.name())
                .number("costMillis", cost / NANOS_OF_MILLI)
                .plain("pauseMillis", Math.min(pause, LONGEST_PAUSE_MILLIS))
                .toString();
    }
}
