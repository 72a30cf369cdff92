package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.fibry.codec.RecordCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of every {@link JdbcStore}, without events. */
@Timeout(120)
abstract class JdbcStoreCase {

    JdbcStore store;

    /** A store in the database of this test, which is empty at first. */
    abstract JdbcStore open() throws Exception;

    /** Called before each test. */
    abstract void empty() throws Exception;

    @BeforeEach
    void openStore() throws Exception {
        empty();
        store = open();
    }

    @AfterEach
    void closeStore() {
        if (store != null) {
            store.close();
        }
    }

    static byte[] bytes(long value) {
        return ByteBuffer.allocate(8).putLong(value).array();
    }

    /** Stores a state. */
    static void save(JdbcStore store, String type, String id, long expected, byte[] state)
            throws SQLException, InterruptedException {
        store.write(new Write(type, id, expected, 0, List.of(), state, Outgoing.NONE));
    }

    /** Appends events, each of which is a number. The version is the number of events before. */
    static void append(JdbcStore store, String id, long version, long... events)
            throws SQLException, InterruptedException {
        List<byte[]> bytes =
                LongStream.of(events).mapToObj(JdbcStoreCase::bytes).toList();
        store.write(events(store, "t", id, version, bytes, null));
    }

    /** Returns a change with the revision of this version. It is stale if the store has another version. */
    static Write events(JdbcStore store, String type, String id, long version, List<byte[]> events, byte[] state)
            throws SQLException, InterruptedException {
        DurableStore.Stored stored = store.load(type, id);
        long revision = stored != null && stored.version() == version
                ? stored.revision()
                : version == 0 ? 0 : Long.MAX_VALUE / 2;
        return new Write(type, id, revision, version, events, state, Outgoing.NONE);
    }

    /** Returns the events of an entity after a version, as numbers. */
    static List<Long> events(JdbcStore store, String id, long after) throws Exception {
        return store.events("t", id, after, 1000).stream()
                .map(event -> ByteBuffer.wrap(event.event()).getLong())
                .toList();
    }

    final DurableStore.Stored stored(String type, String id) throws Exception {
        DurableStore.Stored stored = store.load(type, id);
        assertNotNull(stored, type + "/" + id);
        return stored;
    }

    @Test
    void versionsCountFromOne() throws Exception {
        assertNull(store.load("t", "a"));
        save(store, "t", "a", 0, bytes(7));
        assertEquals(1, stored("t", "a").revision());
        assertArrayEquals(bytes(7), stored("t", "a").state());
        save(store, "t", "a", 1, bytes(8));
        save(store, "t", "a", 2, bytes(8));
        assertEquals(3, stored("t", "a").revision());
        assertArrayEquals(bytes(8), stored("t", "a").state());
        assertNull(store.load("t", "b"));
        assertNull(store.load("u", "a"));
    }

    @Test
    void anotherVersionChangesNothing() throws Exception {
        var e = assertThrows(StaleStateException.class, () -> save(store, "t", "a", 1, bytes(1)));
        assertEquals(
                "the stored state of t/a has another revision than 1: it has another owner, or an earlier attempt to"
                        + " store it has succeeded",
                e.getMessage());
        assertNull(store.load("t", "a"));
        save(store, "t", "a", 0, bytes(1));
        for (long version : new long[] {0, 2, Long.MAX_VALUE - 1}) {
            assertThrows(StaleStateException.class, () -> save(store, "t", "a", version, bytes(2)));
        }
        assertEquals(1, stored("t", "a").revision());
        assertArrayEquals(bytes(1), stored("t", "a").state());
        save(store, "t", "a", 1, bytes(3));
        assertEquals(2, stored("t", "a").revision());
    }

    @Test
    void statesOfAllSizes() throws Exception {
        var random = new Random(1);
        int i = 0;
        for (int size : new int[] {0, 1, 255, 4096, 100_000, (1 << 20) + 1, 5_000_000}) {
            var state = new byte[size];
            random.nextBytes(state);
            save(store, "t", "size" + i, 0, state);
            assertArrayEquals(state, stored("t", "size" + i++).state());
        }
    }

    @Test
    void namesOfAllKinds() throws Exception {
        var ids = List.of(
                "a", "A", "a ", " a", "ä", "a\u0308", "😀", "'; DROP TABLE fibry_entity; --", "%", "_", "a/b", "\n");
        for (String id : ids) {
            save(store, "t", id, 0, id.getBytes(StandardCharsets.UTF_8));
        }
        for (String id : ids) {
            assertEquals(id, new String(stored("t", id).state(), StandardCharsets.UTF_8));
        }
        String longest = "😀".repeat(250);
        save(store, "€".repeat(100), longest, 0, bytes(1));
        assertEquals(1, stored("€".repeat(100), longest).revision());
    }

    @Test
    void namesThatAreNotValid() {
        assertEquals("key must have 1 to 500 characters, not 501", refusal("t", "x".repeat(501)));
        assertEquals("key must have 1 to 500 characters, not 0", refusal("t", ""));
        assertEquals("type must have 1 to 100 characters, not 101", refusal("x".repeat(101), "a"));
        String advice = "key must have neither the character 0 nor half a surrogate pair";
        assertEquals(advice, refusal("t", "a\0b"));
        assertEquals(advice, refusal("t", "a\uD800"));
    }

    private static String refusal(String type, String id) {
        return assertThrows(
                        IllegalArgumentException.class,
                        () -> DurableType.of(type, RecordCodec.of(Long.class)).send(id, 1L))
                .getMessage();
    }

    @Test
    void onlyOneOfManyWins() throws Exception {
        int threads = 8;
        int each = 40;
        var wins = new AtomicInteger();
        try (var other = open()) {
            inParallel(threads, i -> {
                JdbcStore mine = i % 2 == 0 ? store : other;
                for (int won = 0; won < each; ) {
                    DurableStore.Stored before = mine.load("t", "counter");
                    long revision = before == null ? 0 : before.revision();
                    long value =
                            before == null ? 0 : ByteBuffer.wrap(before.state()).getLong();
                    try {
                        save(mine, "t", "counter", revision, bytes(value + 1));
                        won++;
                        wins.incrementAndGet();
                    } catch (StaleStateException e) {
                        assertTrue(e.getMessage().contains("t/counter"), e.getMessage());
                    }
                }
            });
        }
        assertEquals(threads * each, wins.get());
        assertEquals(wins.get(), stored("t", "counter").revision());
        assertArrayEquals(bytes(wins.get()), stored("t", "counter").state());
    }

    interface Part {
        void run(int number) throws Exception;
    }

    static void inParallel(int threads, Part part) throws Exception {
        var results = new ArrayList<Future<?>>();
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            for (int i = 0; i < threads; i++) {
                int number = i;
                results.add(executor.submit((Callable<?>) () -> {
                    part.run(number);
                    return null;
                }));
            }
        }
        for (Future<?> result : results) {
            result.get();
        }
    }

    /** Several nodes start at once with an empty database. */
    @Test
    void manyMayCreateTheTables() throws Exception {
        for (int round = 0; round < 5; round++) {
            execute("DROP TABLE fibry_entity, fibry_event, fibry_message, fibry_projection, fibry_reply, fibry_schema,"
                    + " fibry_slice");
            var barrier = new CyclicBarrier(6);
            inParallel(6, i -> {
                barrier.await();
                try (var mine = open()) {
                    save(mine, "t", "id" + i, 0, bytes(i));
                }
            });
            for (int i = 0; i < 6; i++) {
                assertArrayEquals(bytes(i), stored("t", "id" + i).state());
            }
            try (Connection connection = connect()) {
                assertEquals(1, SchemaCheck.version(connection, 10));
            }
        }
    }

    /** Returns a connection to the database of this test, with auto-commit. */
    abstract Connection connect() throws Exception;

    /** Runs a statement in the database of this test. */
    void execute(String sql) throws Exception {
        try (Connection connection = connect();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static final String TYPE = "type VARCHAR(100) NOT NULL, ";
    private static final String ID = "id VARCHAR(500) NOT NULL, ";
    private static final String VERSION = "revision BIGINT NOT NULL, version BIGINT NOT NULL, ";
    private static final String STATE = "state BYTEA, state_version BIGINT NOT NULL, ";
    private static final String KEY = "PRIMARY KEY (type, id)";

    static Stream<Arguments> unsuitable() {
        return Stream.of(
                arguments(
                        TYPE + ID + VERSION + "state BYTEA, state_version BIGINT", "it has no unique key of type, id"),
                arguments(TYPE + ID + VERSION + STATE + "PRIMARY KEY (id)", "it has no unique key of type, id"),
                arguments(TYPE + ID + VERSION + STATE + "PRIMARY KEY (type, id, version)", "it has no unique key"),
                arguments(TYPE + ID + VERSION + "state BYTEA, " + KEY, "column state_version is missing"),
                arguments(
                        TYPE + ID + "revision BIGINT NOT NULL, version INTEGER NOT NULL, " + STATE + KEY,
                        ", not BIGINT"),
                arguments(TYPE + ID + VERSION + "state VARCHAR(9), state_version BIGINT, " + KEY, "column state is "),
                arguments(TYPE + "id VARCHAR(50) NOT NULL, " + VERSION + STATE + KEY, "(50), not VARCHAR(500)"),
                arguments(
                        TYPE + ID + VERSION + STATE + "owner VARCHAR(9) NOT NULL, " + KEY, "column owner is unknown"));
    }

    @ParameterizedTest
    @MethodSource("unsuitable")
    void anUnsuitableTableIsRefused(String columns, String difference) throws Exception {
        execute("DROP TABLE fibry_entity");
        execute("CREATE TABLE fibry_entity (" + columns + ")");
        String message = assertThrows(SQLException.class, () -> open().close()).getMessage();
        assertTrue(message.contains(difference), message);
    }

    @Test
    void aTableOfTheProgramIsUsed() throws Exception {
        execute("DROP TABLE fibry_entity");
        execute("CREATE TABLE fibry_entity (" + STATE + VERSION + "id VARCHAR(900) NOT NULL, "
                + "type VARCHAR(200) NOT NULL)");
        execute("CREATE UNIQUE INDEX fibry_entity_key ON fibry_entity (id, type)");
        try (JdbcStore own = open()) {
            save(own, "t", "a", 0, bytes(1));
            assertThrows(StaleStateException.class, () -> save(own, "t", "a", 0, bytes(2)));
            assertArrayEquals(bytes(1), stored("t", "a").state());
        }
    }

    /** An interrupt leads to an exception or to a stored state, and does not affect other users of the store. */
    @Test
    void interrupts() throws Exception {
        int interrupted = 0;
        long revision = 0;
        boolean underWay = false; // whether a save before may still be under way
        try (var executor = Executors.newSingleThreadExecutor()) {
            for (int i = 0; i < 150; i++) {
                long expected = revision;
                var saver = new AtomicReference<Thread>();
                var started = new CyclicBarrier(2);
                Future<String> result = executor.submit(() -> {
                    saver.set(Thread.currentThread());
                    started.await();
                    try {
                        save(store, "t", "a", expected, bytes(expected + 1));
                        return "saved";
                    } catch (InterruptedException e) {
                        return "interrupted";
                    } catch (StaleStateException e) {
                        return "stale";
                    } finally {
                        Thread.interrupted();
                    }
                });
                started.await();
                for (int spin = ThreadLocalRandom.current().nextInt(20_000); spin > 0; spin--) {
                    Thread.onSpinWait();
                }
                saver.get().interrupt();
                String outcome = result.get();
                DurableStore.Stored now = store.load("t", "a");
                revision = now == null ? 0 : now.revision();
                if (now != null) {
                    assertArrayEquals(bytes(revision), now.state());
                }
                if (outcome.equals("saved")) {
                    assertEquals(expected + 1, revision);
                    underWay = false;
                } else if (outcome.equals("stale")) {
                    assertTrue(underWay, "nobody else has stored");
                } else {
                    interrupted++;
                    underWay = true;
                }
            }
        }
        assertTrue(interrupted > 0, "no save was interrupted");
    }

    /** If the interrupt status is set before, no statement is sent, and the store remains usable. */
    @Test
    void anInterruptBefore() throws Exception {
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> store.load("t", "a"));
        assertNull(store.load("t", "a"));
        Thread.currentThread().interrupt();
        try {
            open().close();
            assertTrue(Thread.interrupted());
        } catch (SQLException e) {
            assertTrue(Thread.interrupted());
        }
        assertNull(store.load("t", "a"));
        Thread.currentThread().interrupt();
        store.close();
        assertTrue(Thread.interrupted());
        try (var other = open()) {
            assertNull(other.load("t", "a"));
        }
    }

    @Test
    void afterClose() throws Exception {
        save(store, "t", "a", 0, bytes(1));
        store.close();
        store.close();
        assertEquals(
                "the store has been closed",
                assertThrows(IllegalStateException.class, () -> store.load("t", "a"))
                        .getMessage());
        assertThrows(IllegalStateException.class, () -> save(store, "t", "a", 1, bytes(1)));
        store = open();
        assertEquals(1, stored("t", "a").revision());
    }
}
