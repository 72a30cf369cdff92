package io.fibry.observer;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Adds the sampled messages of an interval by sender and receiver. The threads of the actors add them, and one thread
 * takes them. The number of pairs is limited: then names are replaced by their beginnings, and finally by
 * {@link #OTHERS}.
 */
final class FlowMeter {

    /** The sender of messages that come from outside the actors. */
    static final String OUTSIDE = "(outside)";

    static final String OTHERS = "(others)";
    static final int MOST_PAIRS = 2_000;

    /** A sender and a receiver, by name or class. */
    record Pair(String from, String to) {}

    /** The sums of the messages of a pair. A sampled message counts as many times as the share that it stands for. */
    static final class Sums {
        private final LongAdder messages = new LongAdder();
        private final LongAdder asks = new LongAdder();
        private final LongAdder failures = new LongAdder();
        private final LongAdder waited = new LongAdder();
        private final LongAdder handled = new LongAdder();

        void add(long weight, boolean isAsk, long waitedNanos, long handledNanos, boolean hasFailed) {
            messages.add(weight);
            asks.add(isAsk ? weight : 0);
            failures.add(hasFailed ? weight : 0);
            waited.add(weight * waitedNanos);
            handled.add(weight * handledNanos);
        }

        Totals totals() {
            return new Totals(messages.sum(), asks.sum(), failures.sum(), waited.sum(), handled.sum());
        }
    }

    /** The times are sums in nanoseconds. */
    record Totals(double messages, double asks, double failures, double waited, double handled) {
        static final Totals NONE = new Totals(0, 0, 0, 0, 0);

        Totals plus(Totals more) {
            return new Totals(
                    messages + more.messages,
                    asks + more.asks,
                    failures + more.failures,
                    waited + more.waited,
                    handled + more.handled);
        }

        Totals times(double factor) {
            return new Totals(messages * factor, asks * factor, failures * factor, waited * factor, handled * factor);
        }
    }

    private volatile ConcurrentHashMap<Pair, Sums> current = new ConcurrentHashMap<>();

    void add(Pair pair, long weight, boolean isAsk, long waitedNanos, long handledNanos, boolean hasFailed) {
        ConcurrentHashMap<Pair, Sums> pairs = current;
        Pair counted = pair;
        if (!pairs.containsKey(pair) && pairs.size() >= MOST_PAIRS) {
            counted = new Pair(FlowNames.group(pair.from()), FlowNames.group(pair.to()));
            if (!pairs.containsKey(counted) && pairs.size() >= 2 * MOST_PAIRS) {
                counted = new Pair(OTHERS, OTHERS);
            }
        }
        Sums sums = pairs.get(counted);
        if (sums == null) {
            Sums made = new Sums();
            Sums first = pairs.putIfAbsent(counted, made);
            sums = first == null ? made : first;
        }
        sums.add(weight, isAsk, waitedNanos, handledNanos, hasFailed);
    }

    /** Returns the sums since the last call. A message that is added meanwhile may be lost, as in any sample. */
    Map<Pair, Totals> take() {
        ConcurrentHashMap<Pair, Sums> taken = current;
        current = new ConcurrentHashMap<>();
        Map<Pair, Totals> totals = new HashMap<>();
        taken.forEach((pair, sums) -> totals.put(pair, sums.totals()));
        return totals;
    }
}
