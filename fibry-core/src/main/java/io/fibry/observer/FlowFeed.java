package io.fibry.observer;

import io.fibry.Actor;
import io.fibry.ActorInfo;
import io.fibry.ActorSystem;
import io.fibry.dispatch.Durations;
import io.fibry.http.EventStream;
import io.fibry.kernel.ActorView;
import io.fibry.kernel.MessageTap;
import io.fibry.kernel.SampledMessage;
import io.fibry.observer.FlowMeter.Pair;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The message flow of a system as JSON, for all its viewers. Messages are sampled from the first viewer to the last
 * one, about {@value #SAMPLES} per second: one message in n, where n follows the number of messages that the system
 * handles. As with {@link SnapshotFeed}, the first viewer after the time of the next picture computes it.
 */
final class FlowFeed {

    static final int SAMPLES = 2_000;

    /** Until the number of messages per second is known. */
    private static final int FIRST_ONE_IN = 100;

    private static final int PAUSE_FACTOR = 10;
    private static final double NANOS = 1e9;
    private static final double MILLIS = 1e3;

    private final ActorSystem system;
    private final Supplier<String> ownName;
    private final long intervalNanos;
    private final LongSupplier clock;
    private final FlowMeter meter = new FlowMeter();
    private final ReentrantLock lock = new ReentrantLock();
    private int viewers; // this and the rest: guarded by the lock
    private AutoCloseable tap = () -> {};
    private int oneIn;
    private FlowGraph graph = new FlowGraph();
    private long handledBefore;
    private long lastNanos;
    private long nextNanos;
    private String json = "";
    private long number;

    FlowFeed(ActorSystem system, Supplier<String> ownName, Duration interval, LongSupplier clock) {
        this.system = system;
        this.ownName = ownName;
        intervalNanos = Durations.limitedNanos(interval);
        this.clock = clock;
    }

    record Shown(long number, String json) {}

    /** A viewer comes, and calls {@link #close} when it leaves. */
    void open() {
        lock.lock();
        try {
            if (viewers++ == 0) {
                meter.take(); // what was added after the last viewer had left
                graph = new FlowGraph();
                handledBefore = system.stats().handled();
                lastNanos = clock.getAsLong();
                nextNanos = lastNanos + intervalNanos;
                sample(FIRST_ONE_IN);
                json = picture(FIRST_ONE_IN);
                number++;
            }
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            if (--viewers == 0) {
                sample(0);
            }
        } finally {
            lock.unlock();
        }
    }

    /** How many messages the running sample stands for; 0 if no messages are sampled. */
    int oneIn() {
        lock.lock();
        try {
            return oneIn;
        } finally {
            lock.unlock();
        }
    }

    private void sample(int newOneIn) {
        if (newOneIn != oneIn) {
            CloseQuietly.close(tap);
            oneIn = newOneIn;
            tap = newOneIn == 0 ? () -> {} : ActorView.tap(system, new Tap(newOneIn), newOneIn);
        }
    }

    /** Runs on the threads of the actors. */
    private final class Tap implements MessageTap {
        private final int weight;

        Tap(int weight) {
            this.weight = weight;
        }

        @Override
        public void handled(SampledMessage message, Actor<?> receiver, long waited, long handled, boolean hasFailed) {
            ActorView to = ActorView.of(receiver);
            if (to != null && !isOwn(to)) {
                Actor<?> sender = message.sentBy();
                ActorView from = sender == null ? null : ActorView.of(sender);
                String name = from == null ? FlowMeter.OUTSIDE : label(from);
                meter.add(new Pair(name, label(to)), weight, message.isAsk(), waited, handled, hasFailed);
            }
        }
    }

    /** The actors that handle the requests of the page are its children. */
    private boolean isOwn(ActorView actor) {
        String own = ownName.get();
        return actor.isCalled(own) || actor.isChildOf(own);
    }

    /** Actors without a name of their own are shown by their class. */
    static String label(ActorView actor) {
        return actor.isNamed() ? actor.name() : ActorView.behavior(actor.behaviorType());
    }

    /** Between {@link #open} and {@link #close}. */
    Shown shown() {
        lock.lock();
        try {
            long start = clock.getAsLong();
            if (start - nextNanos >= 0) {
                double seconds = Math.max(1, start - lastNanos) / NANOS;
                int used = oneIn;
                graph.add(meter.take(), seconds);
                long handled = system.stats().handled();
                sample(Math.clamp((long) ((handled - handledBefore) / seconds / SAMPLES), 1, 1_000_000));
                handledBefore = handled;
                lastNanos = start;
                json = picture(used);
                number++;
                nextNanos = start + Math.max(intervalNanos, PAUSE_FACTOR * (clock.getAsLong() - start));
            }
            return new Shown(number, json);
        } finally {
            lock.unlock();
        }
    }

    private String picture(int sampledOneIn) {
        var made = new Json();
        made.text("system", system.name()).plain("oneIn", sampledOneIn);
        graph.addTo(made, waits());
        return made.toString();
    }

    /** The actors that wait for the reply of another one, or for room in its mailbox. */
    private List<FlowGraph.Wait> waits() {
        ActorSample sample = ActorSample.take(system, Set.of(), ownName.get());
        Map<String, String> labels = new HashMap<>();
        sample.actors().forEach(actor -> labels.put(actor.name(), label(actor)));
        List<FlowGraph.Wait> waits = new ArrayList<>();
        for (ActorInfo actor : sample.actors()) {
            String target = actor.waitsFor();
            if (target != null && isBlocked(actor.state())) {
                var pair = new Pair(label(actor), labels.getOrDefault(target, target));
                waits.add(new FlowGraph.Wait(pair, actor.runningFor().toMillis() / MILLIS));
            }
        }
        return waits;
    }

    private static boolean isBlocked(ActorInfo.State state) {
        return state == ActorInfo.State.WAITS_FOR_REPLY || state == ActorInfo.State.WAITS_FOR_ROOM;
    }

    private static String label(ActorInfo actor) {
        return actor.name().equals("actor-" + actor.id()) ? actor.behavior() : actor.name();
    }

    void stream(EventStream events) throws IOException, InterruptedException {
        open();
        try {
            long sent = 0;
            do {
                Shown shown = shown();
                if (shown.number() != sent) {
                    events.send("flow", null, shown.json());
                }
                sent = shown.number();
            } while (events.pause(Duration.ofNanos(intervalNanos)));
        } finally {
            close();
        }
    }
}
