package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fibry.codec.Codec;
import io.fibry.codec.RecordCodec;
import io.fibry.durable.DurableStore.StoredEvent;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The contract of every {@link JdbcStore}, with the part about events. */
abstract class EventStoreCase extends SchemaCase {

    @Test
    void eventsIncrementTheVersion() throws Exception {
        append(store, "a", 0, 10);
        append(store, "a", 1, 20, 30);
        append(store, "b", 0, 40);
        assertEquals(List.of(10L, 20L, 30L), events(store, "a", 0));
        assertEquals(List.of(30L), events(store, "a", 2));
        assertEquals(List.of(), events(store, "a", 3));
        assertEquals(
                List.of(10L),
                store.events("t", "a", 0, 1).stream()
                        .map(e -> ByteBuffer.wrap(e.event()).getLong())
                        .toList());
        assertEquals(
                List.of(1L, 2L, 3L),
                store.events("t", "a", 0, 9).stream().map(StoredEvent::version).toList());
        assertEquals(3, stored("t", "a").version());
        assertNull(stored("t", "a").state());
        assertEquals(0, stored("t", "a").stateVersion());
        assertEquals(1, stored("t", "b").version());
    }

    @Test
    void aStateWithItsEvents() throws Exception {
        append(store, "a", 0, 10);
        store.write(events(store, "t", "a", 1, List.of(bytes(20), bytes(30)), bytes(60)));
        append(store, "a", 3, 40);
        assertEquals(4, stored("t", "a").version());
        assertArrayEquals(bytes(60), stored("t", "a").state());
        assertEquals(3, stored("t", "a").stateVersion());
        store.write(events(store, "t", "b", 0, List.of(bytes(1)), bytes(1)));
        assertEquals(1, stored("t", "b").stateVersion());
    }

    @Test
    void theEventsAfterTheState() throws Exception {
        assertEquals(0, store.recover("t", "a", 10).entity().revision());
        assertEquals(List.of(), recoveredVersions("a", 10));
        append(store, "a", 0, 10, 20);
        assertEquals(List.of(1L, 2L), recoveredVersions("a", 10));
        assertEquals(List.of(1L), recoveredVersions("a", 1));
        store.write(events(store, "t", "a", 2, List.of(bytes(30)), bytes(60)));
        assertEquals(List.of(), recoveredVersions("a", 10));
        append(store, "a", 3, 40, 50);
        append(store, "b", 0, 60);
        assertEquals(List.of(4L, 5L), recoveredVersions("a", 10));
        assertArrayEquals(bytes(60), store.recover("t", "a", 10).entity().state());
        execute("DELETE FROM fibry_entity");
        assertEquals(List.of(1L, 2L, 3L, 4L, 5L), recoveredVersions("a", 10));
        assertEquals(0, store.recover("t", "a", 10).entity().revision());
    }

    private List<Long> recoveredVersions(String id, int limit) throws Exception {
        return store.recover("t", id, limit).events().stream()
                .map(StoredEvent::version)
                .toList();
    }

    @Test
    void staleEventsAreNotStored() throws Exception {
        assertThrows(StaleStateException.class, () -> append(store, "a", 1, 10));
        append(store, "a", 0, 10);
        assertThrows(StaleStateException.class, () -> append(store, "a", 0, 20));
        assertThrows(StaleStateException.class, () -> append(store, "a", 2, 20, 30));
        assertEquals(List.of(10L), events(store, "a", 0));
        append(store, "a", 1, 20);
        assertEquals(List.of(10L, 20L), events(store, "a", 0));
    }

    /** A stale owner cannot append an event, even if the event of its version has been deleted. */
    @Test
    void eventsUpToTheStateCanBeDeleted() throws Exception {
        assertEquals(0, store.deleteEvents("t", "a"));
        append(store, "a", 0, 10, 20);
        assertEquals(0, store.deleteEvents("t", "a"));
        store.write(events(store, "t", "a", 2, List.of(bytes(30)), bytes(60)));
        append(store, "a", 3, 40);
        append(store, "b", 0, 50);
        assertEquals(3, store.deleteEvents("t", "a"));
        assertEquals(List.of(40L), events(store, "a", 0));
        assertEquals(List.of(50L), events(store, "b", 0));
        for (long version = 0; version < 4; version++) {
            long expected = version;
            assertThrows(StaleStateException.class, () -> append(store, "a", expected, 60));
        }
        append(store, "a", 4, 60);
        assertEquals(List.of(40L, 60L), events(store, "a", 0));
    }

    /** Without this order, all events of an entity or a slice would be sorted for each page. */
    @Test
    void indexesHaveTheOrderOfTheEvents() throws Exception {
        for (String id : List.of("a", "b")) {
            store.write(events(store, "t", id, 0, Collections.nCopies(3000, bytes(1)), null));
        }
        assertOrderOfIndex("index", EntityRows.EVENTS, "t", "a", 5L, 10);
        assertOrderOfIndex("index", EventPage.EVENTS, "t", Slices.of("t", "a"), 5L, 6000L, 10);
        assertOrderOfIndex("index", ProjectionRows.UNREAD, "owner", "name");
    }

    @Test
    void manyEventsAreDeleted() throws Exception {
        List<byte[]> many =
                LongStream.rangeClosed(1, 2500).mapToObj(JdbcStoreCase::bytes).toList();
        store.write(events(store, "t", "a", 0, many, bytes(60)));
        append(store, "a", 2500, 2501);
        append(store, "b", 0, 50);
        assertEquals(2500, store.deleteEvents("t", "a"));
        assertEquals(List.of(2501L), events(store, "a", 0));
        assertEquals(List.of(50L), events(store, "b", 0));
        assertEquals(0, store.deleteEvents("t", "a"));
    }

    /** Large events are read by a second statement. A page without its first events could seem to be the last one. */
    @Test
    void eventsThatAreDeletedWhileTheyAreRead() throws Exception {
        store.write(events(store, "t", "a", 0, List.of(new byte[5000], new byte[5000]), null));
        var statements = new AtomicInteger();
        try (Connection connection = connect()) {
            var deleting = (Connection) Proxy.newProxyInstance(
                    Connection.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, arguments) -> {
                        if (method.getName().equals("prepareStatement") && statements.incrementAndGet() == 2) {
                            execute("DELETE FROM fibry_event WHERE version = 1");
                        }
                        return method.invoke(connection, arguments);
                    });
            var e = assertThrows(SQLException.class, () -> EntityRows.events(deleting, "t", "a", 0, 9, 10));
            assertEquals("the events 1 to 2 of t/a have been deleted while they were read", e.getMessage());
        }
    }

    @Test
    void theTimeOfAnEvent() throws Exception {
        Instant before = Instant.now().truncatedTo(ChronoUnit.MICROS);
        append(store, "a", 0, 10);
        Instant time = store.events("t", "a", 0, 1).getFirst().time();
        assertFalse(time.isBefore(before), time + " before " + before);
        assertFalse(time.isAfter(Instant.now().plusMillis(1)), time.toString());
    }

    /** Changes of many entities share transactions; a change that fails does not affect the others. */
    @Test
    void oneOfManyChangesFails() throws Exception {
        execute("ALTER TABLE fibry_event ADD CONSTRAINT small CHECK (LENGTH(event) < 9)");
        var refused = new AtomicInteger();
        var stale = new AtomicInteger();
        inParallel(16, i -> {
            for (int version = 0; version < 20; version++) {
                append(store, "id" + i, version, version);
                if (i % 8 == 0) {
                    var tooLarge = events(store, "t", "id" + i, version + 1, List.of(new byte[9]), null);
                    var e = assertThrows(SQLException.class, () -> store.write(tooLarge));
                    assertEquals("23", e.getSQLState().substring(0, 2));
                    assertFalse(e instanceof BatchUpdateException, "the message has the parameters");
                    refused.incrementAndGet();
                } else if (i % 8 == 1) {
                    int before = version;
                    assertThrows(StaleStateException.class, () -> append(store, "id" + i, before, -1));
                    stale.incrementAndGet();
                }
            }
        });
        assertEquals(40, refused.get());
        assertEquals(40, stale.get());
        for (int i = 0; i < 16; i++) {
            assertEquals(LongStream.range(0, 20).boxed().toList(), events(store, "id" + i, 0));
        }
    }

    /**
     * Two stores write to all slices, and a reader follows the positions. It must not skip an event, although a
     * transaction with a lower position may commit later. Seen to fail without the locks of the slices.
     */
    @Test
    void aReaderOfPositionsSkipsNoEvent() throws Exception {
        int threads = 16;
        int each = 30;
        Map<Integer, List<Long>> seen = new TreeMap<>();
        try (var other = open()) {
            var writers = new FutureTask<Void>(() -> {
                inParallel(threads, i -> {
                    for (int n = 0; n < each; n++) {
                        append(i % 2 == 0 ? store : other, "id" + i + "-" + n, 0, n);
                    }
                });
                return null;
            });
            Thread.ofPlatform().start(writers);
            while (!writers.isDone()) {
                readPositions(seen);
            }
            writers.get();
            readPositions(seen);
        }
        assertEquals(threads * each, seen.values().stream().mapToInt(List::size).sum());
        seen.forEach((slice, positions) -> assertEquals(
                LongStream.rangeClosed(1, positions.size()).boxed().toList(), positions, "slice " + slice));
    }

    /** Adds the events of each slice after the last position that has been seen. */
    private void readPositions(Map<Integer, List<Long>> seen) throws Exception {
        for (int slice = 0; slice < Slices.COUNT; slice++) {
            List<Long> positions = seen.computeIfAbsent(slice, none -> new ArrayList<>());
            long last = positions.isEmpty() ? 0 : positions.getLast();
            positions.addAll(query("SELECT position FROM fibry_event WHERE type = 't' AND slice = " + slice
                    + " AND position > " + last + " ORDER BY position"));
        }
    }

    /** Returns the numbers of a query in the database of this test. */
    private List<Long> query(String sql) throws Exception {
        try (Connection connection = connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            List<Long> numbers = new ArrayList<>();
            while (rows.next()) {
                numbers.add(rows.getLong(1));
            }
            return numbers;
        }
    }

    /** New and existing entities, with and without states and events, of which some are stale. */
    @Test
    void aGroupOfChangesOfAllKinds() throws Exception {
        save(store, "t", "kept", 0, new byte[] {7});
        append(store, "log", 0, 1, 2);
        var created = new Write("t", "created", 0, 0, List.of(bytes(1), bytes(2)), null, Outgoing.NONE);
        var kept = new Write("t", "kept", 1, 0, List.of(bytes(3)), null, Outgoing.NONE);
        var snapshot = new Write("t", "log", 1, 2, List.of(bytes(4)), new byte[] {9}, Outgoing.NONE);
        var state = new Write("u", "state", 0, 0, List.of(), new byte[] {5}, Outgoing.NONE);
        var stale = new Write("t", "stale", 3, 3, List.of(bytes(6)), null, Outgoing.NONE);
        try (Connection connection = connect()) {
            connection.setAutoCommit(false);
            assertEquals(Set.of(stale), WriteGroup.run(connection, List.of(stale, snapshot, state, kept, created), 10));
            connection.commit();
        }
        assertEquals(List.of(1L, 2L), events(store, "created", 0));
        assertEquals(List.of(1L, 2L, 4L), events(store, "log", 0));
        assertEquals(List.of(), events(store, "stale", 0));
        assertNull(store.load("t", "stale"));
        assertEquals(List.of(3L), events(store, "kept", 0));
        assertArrayEquals(new byte[] {7}, stored("t", "kept").state());
        assertArrayEquals(new byte[] {9}, stored("t", "log").state());
        assertEquals(3, stored("t", "log").stateVersion());
        assertEquals(2, stored("t", "log").revision());
        assertEquals(1, stored("u", "state").revision());
        List<Long> positions =
                query("SELECT position FROM fibry_event WHERE type = 't' AND id = 'created' ORDER BY version");
        assertEquals(positions.getFirst() + 1, positions.getLast());
    }

    /** A row that is inserted later continues after the stored events. */
    @Test
    void missingSlicesAreRestored() throws Exception {
        append(store, "a", 0, 1, 2, 3);
        execute("DELETE FROM fibry_slice");
        assertThrows(SQLException.class, () -> append(store, "a", 3, 4));
        try (JdbcStore repaired = open()) {
            append(repaired, "a", 3, 4);
            assertEquals(List.of(1L, 2L, 3L, 4L), events(repaired, "a", 0));
        }
    }

    /** A page ends with the event with which it reaches its size, and each event has at most one page. */
    @Test
    void pagesOfLargeEventsAreBounded() throws Exception {
        int mebibyte = 1 << 20;
        var sizes = List.of(0, 4096, 4097, mebibyte, 10, mebibyte, 5 * mebibyte, 3, 2 * mebibyte, 2 * mebibyte, 7);
        var random = new Random(1);
        List<byte[]> stored = new ArrayList<>();
        for (int size : sizes) {
            byte[] event = new byte[size];
            random.nextBytes(event);
            stored.add(event);
        }
        store.write(events(store, "t", "large", 0, stored, null));
        List<Integer> pages = new ArrayList<>();
        long read = 0;
        List<StoredEvent> page =
                store.recover("t", "large", DurableStore.PAGE_EVENTS).events();
        for (; !page.isEmpty(); page = store.events("t", "large", read, DurableStore.PAGE_EVENTS)) {
            pages.add(page.size());
            for (StoredEvent event : page) {
                assertEquals(++read, event.version());
                assertArrayEquals(stored.get((int) read - 1), event.event());
            }
        }
        assertEquals(List.of(7, 3, 1), pages);
        EventLog<Long, Long, byte[], Long> log = EventLog.of(
                store, DurableType.of("t", RecordCodec.of(Long.class), RecordCodec.of(Long.class)), BYTES, key -> {
                    throw new AssertionError("only read");
                });
        try (var history = log.history("large")) {
            assertEquals(sizes, history.map(recorded -> recorded.event().length).toList());
        }
    }

    private static final Codec<byte[]> BYTES = new Codec<>() {
        @Override
        public byte[] encode(byte[] event) {
            return event;
        }

        @Override
        public byte[] decode(byte[] bytes) {
            return bytes;
        }
    };

    @Test
    void aFullPageOfSmallEventsIsReadAtOnce() throws Exception {
        List<byte[]> small = Collections.nCopies(DurableStore.PAGE_EVENTS, new byte[4096]);
        store.write(events(store, "t", "small", 0, small, null));
        assertEquals(
                DurableStore.PAGE_EVENTS,
                store.events("t", "small", 0, DurableStore.PAGE_EVENTS).size());
    }
}
