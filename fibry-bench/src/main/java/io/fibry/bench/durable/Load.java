package io.fibry.bench.durable;

import io.fibry.bench.latency.Finding;
import io.fibry.bench.latency.Latencies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Writers that deposit to random accounts, one deposit after the other. Each deposit is acknowledged when it is
 * durable. After the load, the accounts are read again from the database: the balances and the number of events must
 * match the acknowledged deposits.
 */
final class Load {

    private final Accounts accounts;
    private final AtomicLongArray deposits;
    private volatile Latencies latencies = new Latencies();
    private volatile boolean ends;

    /** Creates a load of this number of accounts, which may be used once. */
    Load(Accounts accounts, int number) {
        this.accounts = accounts;
        deposits = new AtomicLongArray(number);
    }

    /** Returns the acknowledged deposits per second, after a warm-up of half the time, their latencies and costs. */
    List<Finding> rate(Database database, int writers, Duration time) throws Exception {
        return run(writers, () -> {
            pause(time.dividedBy(2));
            latencies = new Latencies();
            Processors before = Processors.now(database);
            long start = System.nanoTime();
            long acknowledged = deposits();
            pause(time);
            long count = deposits() - acknowledged;
            double seconds = (System.nanoTime() - start) / 1e9;
            List<Finding> found = new ArrayList<>(List.of(new Finding("rate", count / seconds, "ops/s")));
            found.addAll(Processors.now(database).since(before, count));
            found.addAll(measured().findings(""));
            return found;
        });
    }

    /**
     * Returns the latencies of a single writer, after a warm-up of twice the time: a few thousand deposits are not
     * enough for the compilers of the JVM.
     */
    List<Finding> latency(Duration time) throws Exception {
        return run(1, () -> {
            pause(time.multipliedBy(2));
            latencies = new Latencies();
            pause(time);
            return measured().findings("");
        });
    }

    /** Returns the latencies until now. Later ones do not count: they would change the percentiles meanwhile. */
    private Latencies measured() {
        Latencies measured = latencies;
        latencies = new Latencies();
        return measured;
    }

    private interface Watch {
        List<Finding> findings() throws Exception;
    }

    private List<Finding> run(int writers, Watch watch) throws Exception {
        for (int i = 0; i < deposits.length(); i++) {
            deposit(i);
        }
        List<Finding> found;
        List<Future<?>> ended = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < writers; i++) {
                var random = new SplittableRandom(i);
                ended.add(threads.submit(() -> write(random)));
            }
            try {
                found = watch.findings();
            } finally {
                ends = true;
            }
        }
        for (Future<?> writer : ended) {
            var unused = result(writer);
        }
        check();
        return found;
    }

    private static Object result(Future<?> writer) throws Exception {
        try {
            return writer.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a writer has failed", e.getCause());
        }
    }

    private boolean write(SplittableRandom random) throws Exception {
        while (!ends) {
            long start = System.nanoTime();
            deposit(random.nextInt(deposits.length()));
            latencies.record(start);
        }
        return true;
    }

    private void deposit(int account) throws Exception {
        accounts.deposit(Accounts.KEY + account, 1);
        deposits.incrementAndGet(account);
    }

    private long deposits() {
        long sum = 0;
        for (int i = 0; i < deposits.length(); i++) {
            sum += deposits.get(i);
        }
        return sum;
    }

    private void check() throws Exception {
        accounts.forget();
        for (int i = 0; i < deposits.length(); i++) {
            expect("the balance of an account", deposits.get(i), accounts.balance(Accounts.KEY + i));
        }
        expect("the number of events", deposits(), accounts.events());
    }

    /** Checks a result. */
    static void expect(String what, long expected, long actual) {
        if (expected != actual) {
            throw new IllegalStateException(what + " is " + actual + " instead of " + expected);
        }
    }

    private static void pause(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
    }
}
