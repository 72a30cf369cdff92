package io.fibry.bench.durable;

import io.fibry.bench.latency.Finding;
import io.fibry.bench.latency.Latencies;
import io.fibry.durable.RunningProjection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The time from the start of a deposit until a projection handles its event. Each client has an account, and pauses for
 * a random time before a deposit, which spreads the deposits over the interval between two polls.
 */
final class Notices {

    private static final int CLIENTS = 16;
    private static final int MAX_PAUSE_MILLIS = 100;

    private final FibryAccounts accounts;
    private final ConcurrentMap<String, BlockingQueue<Boolean>> handled = new ConcurrentHashMap<>();

    private Notices(FibryAccounts accounts) {
        this.accounts = accounts;
        for (int i = 0; i < CLIENTS; i++) {
            handled.put(Accounts.KEY + i, new LinkedBlockingQueue<>());
        }
    }

    /** Returns the latencies, after a warm-up of half the time. */
    static List<Finding> latency(FibryAccounts accounts, Duration time) throws Exception {
        var notices = new Notices(accounts);
        RunningProjection running = accounts.project((connection, event) -> notices.handled
                .getOrDefault(event.key(), new LinkedBlockingQueue<>())
                .add(true));
        try {
            var unused = notices.measure(time.dividedBy(2));
            Latencies latencies = notices.measure(time);
            List<Finding> found = latencies.findings("");
            found.add(new Finding("count", latencies.count(), "#"));
            return found;
        } finally {
            running.close();
        }
    }

    private Latencies measure(Duration time) throws Exception {
        var latencies = new Latencies();
        long end = System.nanoTime() + time.toNanos();
        List<Future<?>> clients = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CLIENTS; i++) {
                int number = i;
                clients.add(threads.submit(() -> run(number, end, latencies)));
            }
        }
        for (Future<?> client : clients) {
            var unused = client.get(); // throws its failure
        }
        return latencies;
    }

    private boolean run(int number, long end, Latencies latencies) throws InterruptedException {
        String key = Accounts.KEY + number;
        var random = new SplittableRandom(number);
        BlockingQueue<Boolean> events = handled.getOrDefault(key, new LinkedBlockingQueue<>());
        do {
            TimeUnit.MILLISECONDS.sleep(random.nextInt(MAX_PAUSE_MILLIS));
            long start = System.nanoTime();
            long unused = accounts.deposit(key, 1);
            if (events.poll(Accounts.PATIENCE, TimeUnit.SECONDS) == null) {
                throw new IllegalStateException(
                        "no projection of an event of " + key + " within " + Accounts.PATIENCE + " s");
            }
            latencies.record(start);
        } while (System.nanoTime() < end);
        return true;
    }
}
