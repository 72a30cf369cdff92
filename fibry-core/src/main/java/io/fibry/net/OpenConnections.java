package io.fibry.net;

import io.fibry.dispatch.LogText;
import io.fibry.dispatch.OutOfMemory;
import io.fibry.sockets.ClientLog;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connections of an acceptor, with their limits and counters. */
final class OpenConnections implements ConnectionActivity.Drain {

    private static final Logger LOG = LoggerFactory.getLogger(TcpAcceptor.class);

    private static final BiConsumer<OpenConnections, @Nullable InetAddress> COUNT_IN = OpenConnections::countIn;
    private static final BiConsumer<OpenConnections, @Nullable InetAddress> COUNT_OUT = OpenConnections::countOut;
    private static final Consumer<OpenConnections> END_IDLE = OpenConnections::endIdle;

    private final int limit;
    private final int limitPerAddress;
    private final long quietNanos;
    private final Set<Connection> live = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicInteger inGrace = new AtomicInteger(); // part of the count
    private final Map<InetAddress, Integer> byAddress = new ConcurrentHashMap<>(); // empty without a limit
    private volatile boolean draining;

    private final ReentrantLock lock = new ReentrantLock(); // for awaitAtMost
    private final Condition fewer = lock.newCondition();
    private final AtomicInteger waiters = new AtomicInteger();

    private final LongAdder accepted = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder failedAccepts = new LongAdder();
    private final LongAdder timedOut = new LongAdder();
    private final AtomicInteger cut = new AtomicInteger();
    private final ClientLog broken = new ClientLog(LOG);
    private String acceptor = ""; // of the accepting thread

    OpenConnections(int limit, int limitPerAddress) {
        this(limit, limitPerAddress, 0);
    }

    /** Creates an empty set of connections with this {@link ConnectionActivity.Drain#quietNanos}. */
    OpenConnections(int limit, int limitPerAddress, long quietNanos) {
        this.limit = limit;
        this.limitPerAddress = limitPerAddress;
        this.quietNanos = quietNanos;
    }

    // ---- permits

    /**
     * Acquires a permit, to be released later. Returns false if there is none. Only for the accepting thread.
     *
     * @param client null if it is not known yet; {@link #acquireAddress} follows
     */
    boolean acquire(@Nullable InetAddress client) {
        boolean free = count.get() - inGrace.get() < limit
                && (client == null || byAddress.getOrDefault(client, 0) < limitPerAddress);
        if (free) {
            countIn(client);
            count.incrementAndGet();
        } else {
            refused.increment();
        }
        return free;
    }

    /**
     * Counts the address that a proxy has reported, for a connection that has a permit. Returns false if that client
     * has too many connections. Any thread. A call that fails counts until it returns, so a concurrent call may fail,
     * too.
     */
    boolean acquireAddress(InetAddress client) {
        if (!limitsAddresses() || byAddress.merge(client, 1, Integer::sum) <= limitPerAddress) {
            return true;
        }
        OutOfMemory.repeat(COUNT_OUT, this, client);
        refused.increment();
        return false;
    }

    private boolean limitsAddresses() {
        return limitPerAddress != Integer.MAX_VALUE;
    }

    private void countIn(@Nullable InetAddress client) {
        if (client != null && limitsAddresses()) {
            byAddress.merge(client, 1, Integer::sum);
        }
    }

    /**
     * A connection with a permit does not count against the limits until {@link #endGrace}. Repeats a step that runs
     * out of memory, as {@link #release} does.
     */
    void beginGrace(@Nullable InetAddress client) {
        OutOfMemory.repeat(COUNT_OUT, this, client);
        inGrace.incrementAndGet();
    }

    /** It counts again, even if the limits are exceeded then. */
    void endGrace(@Nullable InetAddress client) {
        inGrace.decrementAndGet();
        OutOfMemory.repeat(COUNT_IN, this, client);
    }

    /** Releases a permit. Repeats a step that runs out of memory: no other call would release this permit. */
    void release(@Nullable InetAddress client) {
        OutOfMemory.repeat(COUNT_OUT, this, client);
        count.decrementAndGet();
        if (waiters.get() > 0) {
            wakeWaiters();
        }
    }

    private void countOut(@Nullable InetAddress client) {
        if (client != null && limitsAddresses()) {
            byAddress.computeIfPresent(client, (a, n) -> n == 1 ? null : n - 1);
        }
    }

    int count() {
        return count.get();
    }

    // ---- live connections

    void add(Connection connection) {
        live.add(connection);
        acceptor = connection.acceptor();
        accepted.increment();
    }

    /** Forgets a connection, and releases its permit. */
    void leave(Connection connection, @Nullable InetAddress client) {
        try {
            live.remove(connection);
        } finally {
            release(client);
        }
    }

    Set<Connection> live() {
        return live;
    }

    /**
     * Checks the timeouts of all connections. By a loop: a lambda that is linked while the heap is full fails for good.
     */
    void checkTime(long now) {
        for (Connection connection : live) {
            connection.checkTime(now);
        }
    }

    /**
     * Ends the idle connections now, and every other one as soon as it is idle. Outlasts a full heap, since it is
     * called once.
     */
    void drain() {
        draining = true;
        OutOfMemory.repeat(END_IDLE, this);
    }

    private void endIdle() {
        for (Connection connection : live) {
            connection.endIfIdle();
        }
    }

    @Override
    public boolean isDraining() {
        return draining;
    }

    @Override
    public long quietNanos() {
        return quietNanos;
    }

    // ---- counters

    void acceptFailed() {
        failedAccepts.increment();
    }

    void timedOut() {
        timedOut.increment();
    }

    /**
     * A hard stop closes the connections. They are counted here, and not as they are closed: an interrupt may end a
     * connection, and with the last one the acceptor, before the hook of that connection runs. Call it before the
     * accepting thread is stopped, so that none has ended by then.
     */
    void countCut() {
        cut.compareAndSet(0, live.size());
    }

    /** Logs at most one line a second for all connections that break. */
    void reportBroken(String byAcceptor, String line) {
        broken.info(byAcceptor, line);
    }

    /** The acceptor ends. Logs one line for all connections that a hard stop has closed: there may be thousands. */
    void reportRest() {
        broken.end();
        int n = cut.get();
        if (n > 0) {
            LOG.info(
                    "Actor {} closed {} connections, because its stop did not wait for them any longer",
                    LogText.plain(acceptor),
                    n);
        }
    }

    TcpStats stats() {
        return new TcpStats(accepted.sum(), refused.sum(), failedAccepts.sum(), timedOut.sum());
    }

    // ---- waiting for fewer connections

    /**
     * Waits until there are at most {@code n} connections. Returns false if the timeout passes before.
     *
     * <p>No wake-up is lost. This thread increments {@code waiters}, then reads {@code count}; {@link #release}
     * decrements {@code count}, then reads {@code waiters}. All are volatile accesses, so at least one of the two
     * threads sees the other's write. If this thread sees the new count, it needs no signal for it. If the releasing
     * thread sees the waiter, it signals under the lock. It gets the lock only once this thread waits for the signal,
     * or has finished.
     */
    boolean awaitAtMost(int n, Duration timeout) throws InterruptedException {
        long left = TimeUnit.NANOSECONDS.convert(timeout);
        lock.lockInterruptibly();
        waiters.incrementAndGet(); // before the count is read; release does the reverse
        try {
            while (count.get() > n && left > 0) {
                left = fewer.awaitNanos(left);
            }
            return count.get() <= n;
        } finally {
            waiters.decrementAndGet();
            lock.unlock();
        }
    }

    private void wakeWaiters() {
        lock.lock();
        try {
            fewer.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
