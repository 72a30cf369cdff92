package io.fibry.cluster.pekko.harness;

import io.fibry.durable.DurableEntities;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Asks for random transfers from several threads. Each thread repeats an ask with the same request key until it
 * succeeds, except for some that it abandons after a failure.
 */
final class BankClient {

    private static final int THREADS = 16;
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    private final DurableEntities<Bank.Command, Long> bank;
    private final int accounts;
    private final Random seeds;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong repeated = new AtomicLong();

    /** {@code FROM ID REPLY}; the reply of an abandoned ask is {@code unknown}. */
    private final Queue<String> outcomes = new ConcurrentLinkedQueue<>();

    private volatile boolean stopped;

    BankClient(DurableEntities<Bank.Command, Long> bank, int accounts, long seed) {
        this.bank = bank;
        this.accounts = accounts;
        seeds = new Random(seed);
    }

    void start() {
        for (int i = 0; i < THREADS; i++) {
            String name = "t" + i;
            var random = new Random(seeds.nextLong());
            threads.add(Thread.ofVirtual().start(() -> run(name, random)));
        }
    }

    private void run(String name, Random random) {
        for (long n = 1; !stopped; n++) {
            String id = name + "-" + n;
            String from = Bank.account(random.nextInt(accounts));
            String to = Bank.account(random.nextInt(accounts));
            var transfer = new Bank.Command.Transfer(id, to, 1 + random.nextInt(500));
            Long reply = ask(from, transfer);
            while (reply == null && random.nextInt(20) > 0) {
                repeated.incrementAndGet();
                LockSupport.parkNanos(50_000_000);
                reply = ask(from, transfer);
            }
            outcomes.add(from + " " + id + " " + (reply == null ? "unknown" : reply));
        }
    }

    private @Nullable Long ask(String from, Bank.Command.Transfer transfer) {
        try {
            return bank.ref(from).ask(transfer, transfer.id(), TIMEOUT).get();
        } catch (ExecutionException e) {
            return null;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the number of transfers with an outcome. */
    String transferred() {
        return String.valueOf(outcomes.size());
    }

    /** Ends the threads, and writes the outcomes to a file. Returns the number of repeated asks. */
    String stop(Path file) throws InterruptedException, IOException {
        stopped = true;
        for (Thread thread : threads) {
            thread.join();
        }
        Files.write(file, outcomes);
        return repeated.toString();
    }

    /** Returns the balances of all accounts, in the order of their numbers. */
    String balances() {
        List<CompletableFuture<Long>> asked = IntStream.range(0, accounts)
                .mapToObj(i -> bank.ref(Bank.account(i)).ask(new Bank.Command.Balance(), Duration.ofMinutes(1)))
                .toList();
        return asked.stream().map(balance -> String.valueOf(balance.join())).collect(Collectors.joining(" "));
    }
}
