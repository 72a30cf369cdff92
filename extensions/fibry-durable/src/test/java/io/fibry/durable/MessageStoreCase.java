package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.codec.RecordCodec;
import io.fibry.durable.DurableStore.Excluded;
import io.fibry.durable.DurableStore.NewMessage;
import io.fibry.durable.DurableStore.StoredMessage;
import io.fibry.durable.DurableStore.StoredReply;
import io.fibry.durable.DurableStore.Waiting;
import io.fibry.durable.Outgoing.KeptReply;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The contract of every {@link JdbcStore}, with the part about messages, reminders and replies. */
abstract class MessageStoreCase extends EventStoreCase {

    private static final Instant NOW = Instant.ofEpochMilli(1_000_000);

    private static NewMessage message(String id, String sender, long content) {
        return new NewMessage("t", id, sender, null, null, 0, NOW.toEpochMilli(), bytes(content));
    }

    private static NewMessage reminder(String id, String name, Instant due, long content) {
        return new NewMessage("t", id, null, null, name, due.toEpochMilli(), due.toEpochMilli(), bytes(content));
    }

    private static Outgoing sending(NewMessage... messages) {
        return new Outgoing(List.of(), List.of(), List.of(messages), null);
    }

    private static Outgoing reminding(NewMessage reminder) {
        return new Outgoing(List.of(), List.of(reminder.reminder()), List.of(reminder), null);
    }

    private void write(String id, long revision, Outgoing outgoing) throws Exception {
        store.write(new Write("t", id, revision, 0, List.of(), null, outgoing));
    }

    private List<Long> due(String id, Instant now) throws Exception {
        return store.messages("t", id, now, Excluded.NONE, 100).stream()
                .map(message -> ByteBuffer.wrap(message.message()).getLong())
                .toList();
    }

    private long number(String id) throws Exception {
        return store.messages("t", id, Instant.ofEpochMilli(Long.MAX_VALUE), Excluded.NONE, 1)
                .getFirst()
                .number();
    }

    @Test
    void messagesComeBeforeRemindersAndRemindersInTheOrderOfTheirTimes() throws Exception {
        write("a", 0, reminding(reminder("a", "second", NOW.plusMillis(2), 2)));
        write("a", 1, reminding(reminder("a", "first", NOW.plusMillis(1), 1)));
        write("b", 0, sending(message("a", "t/b", 10), message("c", "t/b", 20), message("a", "t/b", 11)));
        assertEquals(List.of(10L, 11L), due("a", NOW));
        assertEquals(List.of(10L, 11L, 1L), due("a", NOW.plusMillis(1)));
        assertEquals(List.of(10L, 11L, 1L, 2L), due("a", NOW.plusMillis(2)));
        assertEquals(List.of(20L), due("c", NOW));
        assertEquals(List.of(), due("b", NOW));
        assertEquals(
                2, store.messages("t", "a", NOW.plusMillis(2), Excluded.NONE, 2).size());
        assertEquals(List.of(), store.messages("u", "a", NOW, Excluded.NONE, 9));
        assertEquals(new Waiting(3, 0), store.waiting("t", NOW));
        assertEquals(new Waiting(3, 2), store.waiting("t", NOW.plusMillis(2)));
    }

    /** Without this order, all messages of an entity would be sorted for each page. */
    @Test
    void anIndexHasTheOrderOfTheMessages() throws Exception {
        write("b", 0, sending(message("a", "t/b", 1)));
        for (int i = 0; i < 12; i++) {
            execute("INSERT INTO fibry_message (type, id, sender, due, attempt_at, attempts, message)"
                    + " SELECT type, id, sender, due, attempt_at, attempts, message FROM fibry_message");
        }
        assertOrderOfIndex("fibry_message_due", MessageRows.due(Excluded.NONE), "t", "a", NOW.toEpochMilli(), 100);
    }

    /** A message of a transaction of the program has no sender, and a publication has only a topic. */
    @Test
    void excludedMessages() throws Exception {
        write("b", 0, sending(message("a", "t/b", 10), message("a", "t/c", 20), message("a", null, 30)));
        write("a", 0, sending(publication("x", 40), publication("y", 50), message("a", "t/b", 11)));
        write("a", 1, reminding(reminder("a", "r", NOW, 60)));
        assertEquals(List.of(10L, 20L, 30L, 40L, 50L, 11L, 60L), due(Excluded.NONE));
        assertEquals(List.of(20L, 30L, 40L, 50L, 60L), due(new Excluded(Set.of(), Set.of("t/b", "t/other"), Set.of())));
        assertEquals(
                List.of(10L, 20L, 30L, 50L, 11L, 60L), due(new Excluded(Set.of(), Set.of(), Set.of("x", "other"))));
        List<StoredMessage> all = store.messages("t", "a", NOW, Excluded.NONE, 9);
        var numbers = Set.of(all.get(2).number(), all.get(6).number());
        assertEquals(List.of(10L, 20L, 40L, 50L, 11L), due(new Excluded(numbers, Set.of(), Set.of())));
        assertEquals(List.of(20L, 40L), due(new Excluded(numbers, Set.of("t/b"), Set.of("y"))));
    }

    private List<Long> due(Excluded excluded) throws Exception {
        return store.messages("t", "a", NOW, excluded, 9).stream()
                .map(message -> ByteBuffer.wrap(message.message()).getLong())
                .toList();
    }

    private static NewMessage publication(String topic, long content) {
        return new NewMessage("t", "a", null, topic, null, 0, NOW.toEpochMilli(), bytes(content));
    }

    @Test
    void theFieldsOfAMessage() throws Exception {
        write("b", 0, sending(message("a", "t/b", 1), new NewMessage("t", "b", null, "news", null, 0, 5, bytes(2))));
        StoredMessage received = store.messages("t", "a", NOW, Excluded.NONE, 9).getFirst();
        assertEquals("t/b", received.sender());
        assertNull(received.topic());
        StoredMessage published =
                store.messages("t", "b", NOW, Excluded.NONE, 9).getFirst();
        assertNull(published.sender());
        assertEquals("news", published.topic());
        assertArrayEquals(bytes(2), published.message());
    }

    /** The message is deleted together with the change that handles it, and the version need not change. */
    @Test
    void aHandledMessageIsDeleted() throws Exception {
        write("b", 0, sending(message("a", "t/b", 1), message("a", "t/b", 2)));
        write("a", 0, Outgoing.handled(number("a")));
        assertEquals(List.of(2L), due("a", NOW));
        assertEquals(1, stored("t", "a").revision());
        assertEquals(0, stored("t", "a").version());
        store.write(new Write("t", "a", 1, 0, List.of(bytes(7)), null, Outgoing.handled(number("a"))));
        assertEquals(List.of(), due("a", NOW));
        assertEquals(List.of(7L), events(store, "a", 0));
    }

    @Test
    void aStaleOwnerHandlesAndSendsNothing() throws Exception {
        write("b", 0, sending(message("a", "t/b", 1)));
        save(store, "t", "a", 0, bytes(0));
        long number = number("a");
        var effects = new Outgoing(
                List.of(number), List.of(), List.of(message("c", "t/a", 5)), new KeptReply("key", bytes(3)));
        for (long revision : new long[] {0, 2}) {
            assertThrows(StaleStateException.class, () -> write("a", revision, effects));
        }
        assertEquals(List.of(1L), due("a", NOW));
        assertEquals(List.of(), due("c", NOW));
        assertNull(store.reply("t", "a", "key"));
        write("a", 1, effects);
        assertEquals(List.of(), due("a", NOW));
        assertEquals(List.of(5L), due("c", NOW));
    }

    @Test
    void aMessageThatDoesNotExistFailsTheChange() throws Exception {
        var e = assertThrows(
                SQLException.class,
                () -> store.write(
                        new Write("t", "a", 0, 0, List.of(bytes(1)), null, Outgoing.handled(Integer.MAX_VALUE))));
        assertEquals("the stored message " + Integer.MAX_VALUE + " does not exist", e.getMessage());
        assertNull(store.load("t", "a"));
        assertEquals(List.of(), events(store, "a", 0));
    }

    @Test
    void aReminderIsReplacedOrCancelledByItsName() throws Exception {
        Instant later = NOW.plusSeconds(1);
        write("a", 0, reminding(reminder("a", "x", NOW, 1)));
        write("b", 0, reminding(reminder("b", "x", NOW, 2)));
        write("a", 1, reminding(reminder("a", "x", later, 3)));
        write("a", 2, reminding(reminder("a", "y", later, 4)));
        assertEquals(List.of(), due("a", NOW));
        assertEquals(List.of(3L, 4L), due("a", later));
        write("a", 3, new Outgoing(List.of(), List.of("x", "never set"), List.of(), null));
        assertEquals(List.of(4L), due("a", later));
        assertEquals(List.of(2L), due("b", later));
        long number = number("a"); // is replaced while it is handled
        write("a", 4, new Outgoing(List.of(number), List.of("y"), List.of(reminder("a", "y", later, 5)), null));
        assertEquals(List.of(5L), due("a", later));
    }

    /** Each message is returned once until its next attempt, whose pauses grow. */
    @Test
    void aClaimPostponesTheNextAttempt() throws Exception {
        write("b", 0, sending(message("a", "t/b", 1), message("a", "t/b", 2), message("c", "t/b", 3)));
        write("a", 0, reminding(reminder("a", "later", NOW.plusMillis(500), 4)));
        assertEquals(List.of(), store.claim("t", NOW.minusMillis(1), 9));
        assertEquals(List.of(), store.claim("u", NOW, 9));
        assertEquals(Set.of("a", "c"), Set.copyOf(store.claim("t", NOW, 9)));
        assertEquals(List.of(), store.claim("t", NOW.plusMillis(499), 9));
        assertEquals(List.of("a"), store.claim("t", NOW.plusMillis(500), 9));
        Instant now = NOW;
        for (long pause : new long[] {1, 2, 4, 8, 16, 32, 60, 60}) {
            now = now.plusSeconds(pause);
            assertEquals(List.of(), store.claim("t", now.minusMillis(1), 9), "before " + pause);
            assertTrue(store.claim("t", now, 9).contains("c"), "after " + pause);
            while (!store.claim("t", now.plusMillis(500), 9).isEmpty()) {
                // the reminder
            }
        }
        assertEquals(List.of(1L, 2L), due("a", NOW));
        assertEquals(1, store.claim("t", now.plusSeconds(100), 1).size());
    }

    @Test
    void concurrentClaimsAreDisjoint() throws Exception {
        int count = 400;
        NewMessage[] messages = LongStream.range(0, count)
                .mapToObj(i -> message("id" + i, "t/b", i))
                .toArray(NewMessage[]::new);
        write("b", 0, sending(messages));
        Set<String> claimed = ConcurrentHashMap.newKeySet();
        try (var other = open()) {
            inParallel(8, i -> {
                JdbcStore mine = i % 2 == 0 ? store : other;
                while (claimed.size() < count) {
                    for (String id : mine.claim("t", NOW, 10)) {
                        assertTrue(claimed.add(id), id);
                    }
                }
            });
        }
        assertEquals(List.of(), store.claim("t", NOW, 10));
    }

    @Test
    void repliesAreKeptUntilTheyAreDeleted() throws Exception {
        assertNull(store.reply("t", "a", "1"));
        write("a", 0, new Outgoing(List.of(), List.of(), List.of(), new KeptReply("1", bytes(7))));
        write("a", 1, new Outgoing(List.of(), List.of(), List.of(), new KeptReply("2", null)));
        write("b", 0, new Outgoing(List.of(), List.of(), List.of(), new KeptReply("1", bytes(8))));
        assertArrayEquals(bytes(7), store.reply("t", "a", "1").reply());
        assertEquals(new StoredReply(null), store.reply("t", "a", "2"));
        assertArrayEquals(bytes(8), store.reply("t", "b", "1").reply());
        Instant now = Instant.now();
        assertEquals(0, store.deleteReplies("t", now.minus(Duration.ofHours(1)), 9));
        assertEquals(0, store.deleteReplies("u", now.plusSeconds(60), 9));
        assertEquals(2, store.deleteReplies("t", now.plusSeconds(60), 2));
        assertEquals(1, store.deleteReplies("t", now.plusSeconds(60), 2));
        assertNull(store.reply("t", "a", "1"));
    }

    /** A request that is stored twice is the fault of a caller; nothing of the second change is stored. */
    @Test
    void aRequestHasOneReply() throws Exception {
        write("a", 0, new Outgoing(List.of(), List.of(), List.of(), new KeptReply("1", bytes(7))));
        var twice = new Outgoing(List.of(), List.of(), List.of(message("c", "t/a", 1)), new KeptReply("1", bytes(8)));
        assertThrows(SQLException.class, () -> write("a", 1, twice));
        assertEquals(List.of(), due("c", NOW));
        assertEquals(1, stored("t", "a").revision());
    }

    /** Many senders share transactions; the messages of each of them are in order at each receiver. */
    @Test
    void messagesOfASenderAreInOrder() throws Exception {
        int senders = 12;
        int each = 20;
        try (var other = open()) {
            inParallel(senders, i -> {
                for (int n = 0; n < each; n++) {
                    JdbcStore mine = (i + n) % 2 == 0 ? store : other; // the sender moves to and fro
                    var toTwo = sending(message("even", "t/s" + i, 2L * n), message("odd", "t/s" + i, 2L * n + 1));
                    mine.write(new Write("t", "s" + i, n, 0, List.of(), null, toTwo));
                }
            });
        }
        for (String receiver : List.of("even", "odd")) {
            List<StoredMessage> all = store.messages("t", receiver, NOW, Excluded.NONE, 1000);
            assertEquals(senders * each, all.size());
            for (int i = 0; i < senders; i++) {
                String sender = "t/s" + i;
                List<Long> received = new ArrayList<>();
                all.stream()
                        .filter(message -> sender.equals(message.sender()))
                        .forEach(message ->
                                received.add(ByteBuffer.wrap(message.message()).getLong() / 2));
                assertEquals(LongStream.range(0, each).boxed().toList(), received);
            }
        }
    }

    @Test
    void aMessageOfATransactionOfTheProgram() throws Exception {
        var type = DurableType.of("t", RecordCodec.of(Long.class));
        try (var connection = connect()) {
            var e = assertThrows(IllegalStateException.class, () -> DurableEntities.send(connection, type, "a", 1L));
            assertTrue(e.getMessage().startsWith("the connection is in auto-commit mode"), e.getMessage());
            connection.setAutoCommit(false);
            DurableEntities.send(connection, type, "a", 1L);
            connection.rollback();
            DurableEntities.send(connection, type, "a", 2L);
            connection.commit();
        }
        assertEquals(
                1, store.messages("t", "a", Instant.now(), Excluded.NONE, 9).size());
        assertEquals(List.of("a"), store.claim("t", Instant.now(), 9));
    }
}
