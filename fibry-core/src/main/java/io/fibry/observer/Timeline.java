package io.fibry.observer;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.dispatch.JsonObject;
import io.fibry.kernel.ActorView;
import io.fibry.kernel.MessageTap;
import io.fibry.kernel.SampledMessage;
import io.fibry.kernel.TimersSnapshot;
import io.fibry.kernel.TimersSnapshot.Scheduled;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The last messages of an actor whose page is open. All its messages are measured from {@link #attach} to
 * {@link #release}. It keeps texts and numbers of the messages, and the actor only while it is attached.
 */
final class Timeline implements MessageTap {

    static final int MOST = 200;
    static final int MOST_TIMERS = 20;

    private static final double NANOS_OF_MILLI = 1e6;

    /** A message that was handled. The times are in nanoseconds. */
    private record Entry(
            long number,
            long endMillis,
            Class<?> type,
            String sender,
            boolean isAsk,
            long waited,
            long handled,
            boolean hasFailed) {

        JsonObject json() {
            return new Json()
                    .plain("number", number)
                    .plain("end", endMillis)
                    .text("type", ActorView.behavior(type))
                    .text("sender", sender)
                    .plain("ask", isAsk)
                    .number("wait", waited / NANOS_OF_MILLI)
                    .number("handler", handled / NANOS_OF_MILLI)
                    .plain("failed", hasFailed);
        }
    }

    private final ActorSystem system;
    private final String id;
    private final LongSupplier timeMillis;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Entry> entries = new ArrayDeque<>(); // this and the rest: guarded by the lock
    private long last;
    private @Nullable ActorView actor;
    private AutoCloseable tap = () -> {};

    Timeline(ActorSystem system, String id, LongSupplier timeMillis) {
        this.system = system;
        this.id = id;
        this.timeMillis = timeMillis;
    }

    /** Measures the messages of the actor from now on, if it is there and they are not measured yet. */
    void attach() {
        lock.lock();
        try {
            if (actor == null) {
                ActorView.forEach(system, view -> {
                    if (Integer.toHexString(view.id()).equals(id)) {
                        actor = view;
                    }
                });
                ActorView found = actor;
                if (found != null) {
                    tap = found.tap(system, this);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Measures no more messages. */
    void release() {
        lock.lock();
        try {
            CloseQuietly.close(tap);
            tap = () -> {};
            actor = null;
        } finally {
            lock.unlock();
        }
    }

    boolean isAttached() {
        lock.lock();
        try {
            return actor != null;
        } finally {
            lock.unlock();
        }
    }

    /** Called on the thread of the actor. */
    @Override
    public void handled(SampledMessage message, Actor<?> receiver, long waited, long handled, boolean hasFailed) {
        Actor<?> sender = message.sentBy();
        ActorView from = sender == null ? null : ActorView.of(sender);
        String name = from == null ? FlowMeter.OUTSIDE : FlowFeed.label(from);
        long end = timeMillis.getAsLong();
        lock.lock();
        try {
            last++;
            entries.addLast(new Entry(last, end, message.type(), name, message.isAsk(), waited, handled, hasFailed));
            if (entries.size() > MOST) {
                entries.removeFirst();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The number of the message before the first one that is kept. */
    long start() {
        lock.lock();
        try {
            return last - entries.size();
        } finally {
            lock.unlock();
        }
    }

    /** Some messages as JSON, with the stashed messages and timers of the actor, and the number of the last message. */
    record Messages(String json, long last) {}

    /**
     * Returns the messages after the one with this number, and the timers that are due first. Each call reads at most
     * {@link TimersSnapshot#MOST_READ} timers.
     */
    Messages after(long number) {
        List<Entry> more;
        long latest;
        ActorView watched;
        lock.lock();
        try {
            more = entries.stream().filter(entry -> entry.number() > number).toList();
            latest = last;
            watched = actor;
        } finally {
            lock.unlock();
        }
        // these two take a lock of the actor, so they are not called under the lock
        long stashed = watched == null ? 0 : watched.stashed();
        TimersSnapshot timers = watched == null ? TimersSnapshot.NONE : watched.timers();
        List<Scheduled> soonest = timers.read().stream()
                .sorted(Comparator.comparingLong(Scheduled::left))
                .limit(MOST_TIMERS)
                .toList();
        String json = new Json()
                .array("messages", more, Entry::json)
                .plain("skipped", latest - number - more.size())
                .plain("stashed", stashed)
                .array("timers", soonest, Timeline::timer)
                .plain("moreTimers", timers.all() - soonest.size())
                .plain("unreadTimers", timers.all() - timers.read().size())
                .toString();
        return new Messages(json, latest);
    }

    private static JsonObject timer(Scheduled timer) {
        return new Json()
                .text("type", ActorView.behavior(timer.type()))
                .number("left", Math.max(0, timer.left()) / NANOS_OF_MILLI)
                .plain("once", timer.period() == 0)
                .number("period", timer.period() / NANOS_OF_MILLI)
                .plain("receiveTimeout", timer.isReceiveTimeout());
    }
}
