package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.cluster.pekko.NodeTable.Role;
import io.fibry.durable.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The table of nodes in H2, and once in PostgreSQL. */
@Timeout(120)
class NodeTableTest {

    private static final ClusterIdentity OLDER = new ClusterIdentity(2, 10);
    private static final ClusterIdentity YOUNGER = new ClusterIdentity(1, 20);

    /** No row becomes stale in a test with this age. */
    private static final Duration NEVER = Duration.ofHours(1);

    private final DataSource h2 = h2();

    private static DataSource h2() {
        var source = new JdbcDataSource();
        source.setUrl("jdbc:h2:mem:" + System.nanoTime() + ";DB_CLOSE_DELAY=-1");
        return source;
    }

    private NodeTable node(String address, Duration stale) {
        return new NodeTable(h2, "shop", address, stale, Duration.ZERO, NEVER);
    }

    private static boolean claims(NodeTable table, ClusterIdentity made) throws SQLException {
        return table.beat(ClusterIdentity.NONE, Role.CLAIMANT).free() && table.claim(made);
    }

    @Test
    void nodesSeeEachOtherUntilTheyLeave() throws Exception {
        NodeTable a = node("a:1", NEVER);
        NodeTable b = node("b:1", NEVER);
        NodeTable ofOtherCluster = new NodeTable(h2, "other", "c:1");
        ofOtherCluster.beat(ClusterIdentity.NONE, Role.CLAIMANT);
        assertEquals(List.of(), a.beat(ClusterIdentity.NONE, Role.CLAIMANT).nodes());
        assertEquals(List.of("a:1"), b.beat(ClusterIdentity.NONE, Role.CLAIMANT).nodes());
        a.leave(ClusterIdentity.NONE);
        assertEquals(List.of(), b.beat(ClusterIdentity.NONE, Role.CLAIMANT).nodes());
    }

    @Test
    void aClaimIsAliveWhenItsBeatChanges() throws Exception {
        NodeTable a = node("a:1", NEVER);
        assertTrue(claims(a, OLDER));
        NodeTable b = node("b:1", NEVER);
        assertFalse(b.beat(ClusterIdentity.NONE, Role.OBSERVER).alive());
        assertFalse(b.beat(ClusterIdentity.NONE, Role.OBSERVER).alive());
        a.beat(OLDER, Role.MEMBER);
        assertTrue(b.beat(ClusterIdentity.NONE, Role.OBSERVER).alive());
        assertTrue(b.beat(ClusterIdentity.NONE, Role.OBSERVER).alive());
    }

    @Test
    void whatWasReadLongAgoDoesNotCount() throws Exception {
        NodeTable a = node("a:1", NEVER);
        assertTrue(claims(a, OLDER));
        var alwaysBlind = new NodeTable(h2, "shop", "b:1", NEVER, NEVER, Duration.ZERO);
        for (int i = 0; i < 3; i++) {
            a.beat(OLDER, Role.MEMBER);
            assertFalse(alwaysBlind.beat(ClusterIdentity.NONE, Role.OBSERVER).alive());
        }
    }

    @Test
    void aMemberReplacesAStaleClaimOfAnOlderCluster() throws Exception {
        assertTrue(claims(node("a:1", NEVER), OLDER));
        assertEquals(OLDER, node("b:1", NEVER).beat(YOUNGER, Role.MEMBER).claim());
        assertEquals(
                YOUNGER, node("b:1", Duration.ZERO).beat(YOUNGER, Role.MEMBER).claim());
    }

    @Test
    void aConnectionOfAPoolKeepsItsSettings() throws Exception {
        JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:pool;DB_CLOSE_DELAY=-1", "", "");
        pool.setMaxConnections(1);
        new NodeTable(pool, "shop", "a:1").beat(ClusterIdentity.NONE, Role.CLAIMANT);
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            assertEquals(0, statement.getQueryTimeout());
        }
        pool.dispose();
    }

    @Test
    void aClaimThatIsRenewedIsNotFree() throws Exception {
        NodeTable a = node("a:1", NEVER);
        assertTrue(claims(a, OLDER));
        assertEquals(OLDER, a.beat(OLDER, Role.MEMBER).claim());
        assertFalse(node("b:1", NEVER).beat(ClusterIdentity.NONE, Role.CLAIMANT).free());
        NodeTable impatient = node("c:1", Duration.ZERO);
        assertTrue(claims(impatient, YOUNGER));
        assertEquals(YOUNGER, impatient.beat(YOUNGER, Role.MEMBER).claim());
    }

    @Test
    void aMemberWithoutAMajorityDoesNotRenewTheClaim() throws Exception {
        NodeTable a = node("a:1", NEVER);
        assertTrue(claims(a, OLDER));
        NodeTable impatient = node("b:1", Duration.ZERO);
        assertTrue(impatient.beat(ClusterIdentity.NONE, Role.CLAIMANT).free());
        assertEquals(OLDER, a.beat(OLDER, Role.OBSERVER).claim());
        assertTrue(impatient.claim(YOUNGER));
        assertEquals(YOUNGER, a.beat(OLDER, Role.OBSERVER).claim());
    }

    @Test
    void aClaimThatWasRenewedMeanwhileIsNotReplaced() throws Exception {
        NodeTable a = node("a:1", NEVER);
        assertTrue(claims(a, OLDER));
        NodeTable impatient = node("b:1", Duration.ZERO);
        assertTrue(impatient.beat(ClusterIdentity.NONE, Role.CLAIMANT).free());
        a.beat(OLDER, Role.MEMBER);
        assertFalse(impatient.claim(YOUNGER));
        assertEquals(OLDER, a.beat(OLDER, Role.MEMBER).claim());
    }

    @Test
    void theOlderClusterTakesItsClaimBack() throws Exception {
        NodeTable older = node("a:1", NEVER);
        assertTrue(claims(older, OLDER));
        NodeTable younger = node("b:1", Duration.ZERO);
        assertTrue(claims(younger, YOUNGER));
        assertEquals(
                YOUNGER, older.beat(OLDER, Role.CLAIMANT).claim(), "a node that is not a member takes nothing back");
        assertEquals(OLDER, older.beat(OLDER, Role.MEMBER).claim());
        assertEquals(OLDER, node("b:1", NEVER).beat(YOUNGER, Role.MEMBER).claim());
    }

    @Test
    void aDeletedClaimIsRestoredByItsMembers() throws Exception {
        NodeTable a = node("a:1", NEVER);
        assertTrue(claims(a, OLDER));
        a.leave(OLDER);
        assertEquals(
                ClusterIdentity.NONE,
                a.beat(ClusterIdentity.NONE, Role.CLAIMANT).claim());
        assertEquals(OLDER, a.beat(OLDER, Role.MEMBER).claim());
    }

    @Test
    void aClaimMustBeAbsentForSomeTime() throws Exception {
        NodeTable a = new NodeTable(h2, "shop", "a:1", NEVER, NEVER, NEVER);
        assertFalse(a.beat(ClusterIdentity.NONE, Role.CLAIMANT).free());
        assertFalse(a.beat(ClusterIdentity.NONE, Role.CLAIMANT).free());
    }

    @Test
    void theLastNodeDeletesTheClaimOfItsCluster() throws Exception {
        NodeTable a = node("a:1", NEVER);
        NodeTable b = node("b:1", NEVER);
        assertTrue(claims(a, OLDER));
        b.beat(OLDER, Role.MEMBER);
        a.leave(OLDER);
        assertEquals(OLDER, b.beat(ClusterIdentity.NONE, Role.CLAIMANT).claim());
        b.leave(YOUNGER);
        assertEquals(OLDER, a.beat(ClusterIdentity.NONE, Role.CLAIMANT).claim());
        a.leave(OLDER);
        assertTrue(claims(b, YOUNGER));
    }

    @Test
    void oneOfManyClaimsSucceeds() throws Exception {
        oneOfManySucceeds(h2);
    }

    @Test
    void oneOfManyClaimsSucceedsInPostgres() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            oneOfManySucceeds(server.dataSource());
        }
    }

    /** The nodes create the table at once, too. Then they replace the claim at once. */
    private static void oneOfManySucceeds(DataSource source) throws Exception {
        int count = 8;
        List<NodeTable> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            nodes.add(new NodeTable(source, "shop", "node:" + (i + 1), Duration.ZERO, Duration.ZERO, NEVER));
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(count)) {
            for (int round = 1; round <= 20; round++) {
                List<Callable<Boolean>> looks = new ArrayList<>();
                List<Callable<Boolean>> claims = new ArrayList<>();
                for (NodeTable node : nodes) {
                    looks.add(
                            () -> node.beat(ClusterIdentity.NONE, Role.CLAIMANT).free());
                    claims.add(() -> node.claim(ClusterIdentity.make()));
                }
                assertEquals(Set.of(true), Set.copyOf(results(threads.invokeAll(looks))));
                assertEquals(
                        1,
                        results(threads.invokeAll(claims)).stream()
                                .filter(won -> won)
                                .count());
            }
        }
    }

    private static List<Boolean> results(List<Future<Boolean>> futures) throws Exception {
        List<Boolean> results = new ArrayList<>();
        for (Future<Boolean> future : futures) {
            results.add(future.get());
        }
        return results;
    }
}
