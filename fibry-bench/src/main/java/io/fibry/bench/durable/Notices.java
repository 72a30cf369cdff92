package io.fibry.bench.durable;

import io.fibry.bench.latency.Finding;
import io.fibry.bench.latency.Latencies;
import io.fibry.durable.RunningProjection;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The time from the start of a deposit until a projection handles its event. The deposits come one at a time, after
 * random pauses: the poll of the projection has no fixed distance from them.
 */
final class Notices {

    private static final int ACCOUNTS = 1_000;
    private static final int MAX_PAUSE_MILLIS = 100;

    private Notices() {}

    static List<Finding> latency(FibryAccounts accounts, Duration time) throws Exception {
        BlockingQueue<String> handled = new LinkedBlockingQueue<>();
        RunningProjection running = accounts.project((connection, event) -> handled.add(event.key()));
        try {
            measure(accounts, handled, time.dividedBy(2));
            return measure(accounts, handled, time).findings("");
        } finally {
            running.close();
        }
    }

    private static Latencies measure(FibryAccounts accounts, BlockingQueue<String> handled, Duration time)
            throws Exception {
        var latencies = new Latencies();
        var random = new SplittableRandom(1);
        long begin = System.nanoTime();
        do {
            TimeUnit.MILLISECONDS.sleep(random.nextInt(MAX_PAUSE_MILLIS));
            String key = Accounts.KEY + random.nextInt(ACCOUNTS);
            long start = System.nanoTime();
            accounts.deposit(key, 1);
            String noticed = handled.poll(Accounts.PATIENCE, TimeUnit.SECONDS);
            latencies.record(start);
            if (!key.equals(noticed) || !handled.isEmpty()) {
                throw new IllegalStateException("an event of " + noticed + " was handled instead of " + key);
            }
        } while (System.nanoTime() - begin < time.toNanos());
        return latencies;
    }
}
