package io.fibry.cluster.pekko;

import static io.fibry.cluster.pekko.harness.Cluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.cluster.ClusterJoinException;
import io.fibry.cluster.ClusterOptions;
import io.fibry.cluster.Discovery;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes that find each other without seeds. */
@Timeout(240)
class DiscoveryClusterTest {

    private final Nodes nodes = new Nodes();
    private final JdbcDataSource database = new JdbcDataSource();

    DiscoveryClusterTest() {
        database.setUrl("jdbc:h2:mem:" + System.nanoTime() + ";DB_CLOSE_DELAY=-1");
    }

    @AfterEach
    void stop() {
        nodes.close();
    }

    private ClusterOptions byDatabase() throws IOException {
        return Nodes.options(Nodes.freeAddress(), Discovery.database(database));
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private long count(String condition) {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM fibry_node WHERE " + condition)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aMajorityOfTheExpectedNodesFormsACluster() throws Exception {
        Set<String> known = new ConcurrentSkipListSet<>(Set.of(Nodes.freeAddress()));
        Discovery lookup = Discovery.lookup(() -> known, 3);
        String first = known.iterator().next();
        String message = assertThrows(
                        ClusterJoinException.class,
                        () -> nodes.join(Nodes.options(first, lookup).joinTimeout(Duration.ofSeconds(8))))
                .getMessage();
        assertTrue(message.contains("The lookup returns [" + first + "]") && message.contains("at least 2"), message);
        List<ClusterOptions> options = List.of(
                Nodes.options(Nodes.freeAddress(), lookup),
                Nodes.options(Nodes.freeAddress(), lookup),
                Nodes.options(Nodes.freeAddress(), lookup));
        known.clear();
        options.forEach(node -> known.add(node.host() + ":" + node.port()));
        List<PekkoCluster> all = nodes.joinAll(options);
        until(
                "three members",
                () -> all.stream().allMatch(node -> node.members().size() == 3));
    }

    @Test
    void noClusterIsFormedBeforeALookupHasSucceeded() throws Exception {
        Discovery lookup = Discovery.lookup(
                () -> {
                    throw new IOException("on purpose");
                },
                1);
        ClusterOptions options = Nodes.options(Nodes.freeAddress(), lookup).joinTimeout(Duration.ofSeconds(8));
        String message = assertThrows(ClusterJoinException.class, () -> nodes.join(options))
                .getMessage();
        assertTrue(message.contains("The lookup of nodes fails: java.io.IOException: on purpose"), message);
    }

    @Test
    void anErrorAndAnInterruptDoNotEndTheLookup() throws Exception {
        var calls = new AtomicInteger();
        String address = Nodes.freeAddress();
        Discovery lookup = Discovery.lookup(
                () -> {
                    Thread.currentThread().interrupt();
                    if (calls.incrementAndGet() < 3) {
                        throw new AssertionError("on purpose");
                    }
                    return Set.of(address);
                },
                1);
        nodes.join(Nodes.options(address, lookup));
        assertTrue(calls.get() >= 3);
    }

    @Test
    void nodesHaveAddressesOfIpv6() throws Exception {
        Assumptions.assumeTrue(hasIpv6(), "this machine has no IPv6");
        int port = Integer.parseInt(Nodes.freeAddress().substring("127.0.0.1:".length()));
        ClusterOptions options = ClusterOptions.of("nodes", "::1", port, "[::1]:" + port);
        PekkoCluster node = nodes.join(options);
        assertEquals("[0:0:0:0:0:0:0:1]:" + port, node.self().address());
    }

    private static boolean hasIpv6() {
        byte[] loopback = new byte[16];
        loopback[15] = 1;
        try (var socket = new ServerSocket(0, 1, InetAddress.getByAddress(loopback))) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void nodesFindEachOtherInATableAndFormOneCluster() throws Exception {
        List<PekkoCluster> all = nodes.joinAll(List.of(byDatabase(), byDatabase(), byDatabase()));
        PekkoCluster late = nodes.join(byDatabase());
        until(
                "four members",
                () -> late.members().size() == 4
                        && all.stream().allMatch(node -> node.members().equals(late.members())));
        assertEquals(1, count("node = '*'"));
        assertEquals(4, count("node <> '*'"));
        all.forEach(node -> node.close(Duration.ofSeconds(60)));
        assertEquals(1, count("node <> '*'"));
        late.close(Duration.ofSeconds(60));
        assertEquals(0, count("1 = 1"));
    }

    /** The claim of a cluster whose nodes were killed. */
    @Test
    void aClusterIsFormedAgainWhenItsClaimIsNotRenewed() throws Exception {
        nodes.join(byDatabase()).close(Duration.ofSeconds(60)); // creates the table
        execute("INSERT INTO fibry_node VALUES ('nodes', '*', 7, 1, 1)");
        execute("INSERT INTO fibry_node VALUES ('nodes', '127.0.0.1:1', 7, 1, 1)");
        long start = System.nanoTime();
        nodes.join(byDatabase());
        assertTrue(System.nanoTime() - start >= NodeTable.STALE.toNanos());
        assertEquals(0, count("node = '*' AND identity = 7"));
    }

    private void renew(long identity) {
        try {
            execute("UPDATE fibry_node SET beat = beat + 1 WHERE node = '*' AND identity = " + identity);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theYoungerOfTwoClustersInATableStops() throws Exception {
        PekkoCluster node = nodes.join(byDatabase());
        execute("UPDATE fibry_node SET identity = 7, formed_at = " + Long.MAX_VALUE + " WHERE node = '*'");
        until("it has taken back its claim", () -> count("node = '*' AND identity = 7") == 0);
        assertFalse(node.removed().isDone());
        execute("UPDATE fibry_node SET identity = 7, formed_at = 1 WHERE node = '*'");
        until("it stops", () -> {
            renew(7);
            return node.removed().isDone();
        });
        assertEquals("another cluster named nodes exists", node.status().stopReason());
        assertEquals(1, count("node = '*' AND identity = 7"));
    }

    /** For instance after a backup has been restored. */
    @Test
    void anOlderClaimThatIsNotRenewedStopsNoCluster() throws Exception {
        PekkoCluster node = nodes.join(byDatabase());
        execute("UPDATE fibry_node SET identity = 7, formed_at = 1 WHERE node = '*'");
        until("it has replaced the claim", () -> count("node = '*' AND identity = 7") == 0);
        assertFalse(node.removed().isDone());
    }

    /** A node that cannot read the table is in the same situation as one whose process is suspended. */
    @Test
    void aSoleMemberThatWasSuspendedDoesNotStopTheNextCluster() throws Exception {
        var reachable = new AtomicBoolean(true);
        ClusterOptions options = Nodes.options(Nodes.freeAddress(), Discovery.database(gate(reachable)));
        PekkoCluster node = nodes.join(options);
        reachable.set(false);
        long start = System.nanoTime();
        execute("UPDATE fibry_node SET identity = 7, formed_at = " + Long.MAX_VALUE + " WHERE node = '*'");
        until("the pause is over", () -> {
            renew(7);
            return System.nanoTime() - start > NodeTable.STALE.plusSeconds(2).toNanos();
        });
        reachable.set(true);
        until("it stops", () -> {
            renew(7);
            return node.removed().isDone();
        });
        assertEquals(1, count("node = '*' AND identity = 7"));
    }

    private DataSource gate(AtomicBoolean reachable) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (!reachable.get()) {
                        throw new SQLException("on purpose");
                    }
                    return method.invoke(database, arguments);
                });
    }

    @Test
    void aNodeThatEndsWithoutTimeToLeaveReleasesItsClaim() throws Exception {
        for (int i = 0; i < 5; i++) {
            nodes.join(byDatabase()).close(Duration.ZERO);
            until("the table is empty", () -> count("1 = 1") == 0);
        }
    }

    @Test
    void aClusterOutlivesItsTable() throws Exception {
        PekkoCluster node = nodes.join(byDatabase());
        execute("ALTER TABLE fibry_node RENAME TO hidden");
        execute("CREATE TABLE fibry_node (other INT)");
        ClusterOptions impatient = byDatabase().joinTimeout(Duration.ofSeconds(5));
        String message = assertThrows(ClusterJoinException.class, () -> nodes.join(impatient))
                .getMessage();
        assertTrue(message.contains("The table of nodes cannot be used: "), message);
        execute("DROP TABLE fibry_node");
        execute("ALTER TABLE hidden RENAME TO fibry_node");
        execute("DELETE FROM fibry_node");
        PekkoCluster second = nodes.join(byDatabase());
        until("two members", () -> second.members().size() == 2);
        assertTrue(node.isReady());
    }
}
