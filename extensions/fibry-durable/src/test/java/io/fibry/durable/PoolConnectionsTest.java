package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The threads of a store with a data source. */
@Timeout(60)
class PoolConnectionsTest {

    private final PoolConnections connections = new PoolConnections(memory());

    private static JdbcDataSource memory() {
        var source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:");
        return source;
    }

    @AfterEach
    void close() throws InterruptedException {
        connections.close();
        assertTrue(connections.awaitClosed(30));
    }

    /** Seen to fail on the threads of the other transactions, which take turns. */
    @Test
    void serialTransactionsShareAThread() throws Exception {
        var threads = new HashSet<Thread>();
        for (int i = 0; i < 3; i++) {
            threads.add(connections
                    .transactSerially(connection -> Thread.currentThread())
                    .get(30, TimeUnit.SECONDS));
        }
        assertEquals(1, threads.size());
        assertTrue(threads.iterator().next().isDaemon());
    }

    /** A transaction that waits for a lock delays only the serial ones. */
    @Test
    void otherTransactionsDoNotWaitForASerialOne() throws Exception {
        var other = new CompletableFuture<String>();
        CompletableFuture<String> serial = connections.transactSerially(connection -> other.join());
        connections.transact(connection -> other.complete("other")).get(30, TimeUnit.SECONDS);
        assertEquals("other", serial.get(30, TimeUnit.SECONDS));
    }

    /** Seen to fail with one more thread. */
    @Test
    void atMostSixteenConnectionsAreInUse() throws Exception {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        var submitted = new CompletableFuture<Boolean>();
        JdbcConnections.Work<Boolean> work = connection -> {
            threads.add(Thread.currentThread());
            return submitted.join();
        };
        var all = new ArrayList<CompletableFuture<Boolean>>();
        for (int i = 0; i < 20; i++) {
            all.add(connections.transactSerially(work));
            all.add(connections.transact(work));
            all.add(connections.submit(work));
        }
        submitted.complete(true);
        for (CompletableFuture<Boolean> each : all) {
            assertTrue(each.get(30, TimeUnit.SECONDS));
        }
        assertEquals(16, threads.size());
    }
}
