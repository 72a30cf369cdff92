package io.fibry.durable;

import io.fibry.dispatch.Time;
import io.fibry.durable.DurableStore.Excluded;
import io.fibry.durable.DurableStore.NewMessage;
import io.fibry.durable.DurableStore.StoredMessage;
import io.fibry.durable.DurableStore.StoredReply;
import io.fibry.durable.DurableStore.Waiting;
import io.fibry.durable.Outgoing.KeptReply;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes waiting messages, reminders and kept replies. The timeouts of statements are in seconds.
 *
 * <p>The numbers of messages come from a sequence. The numbers of one sender ascend in the order of its changes: a
 * change inserts its messages after it has locked the row of its entity, and the next change locks it after the commit.
 */
final class MessageRows {

    private static final String INSERT =
            "INSERT INTO fibry_message (type, id, sender, topic, reminder, due, attempt_at, attempts, message)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?)";
    private static final String DELETE = "DELETE FROM fibry_message WHERE number = ?";
    private static final String CANCEL = "DELETE FROM fibry_message WHERE type = ? AND id = ? AND reminder = ?";
    private static final String DUE =
            "SELECT number, sender, topic, due, message FROM fibry_message" + " WHERE type = ? AND id = ? AND due <= ?";

    /**
     * The order names the columns of the index from its first one, also those that are constant here: otherwise H2
     * sorts all rows for each page.
     */
    private static final String DUE_END = " ORDER BY type, id, due, number FETCH FIRST ? ROWS ONLY";

    /** H2 sorts all due messages: it does not use the order of an index for {@code FOR UPDATE}. */
    private static final String CLAIM = "SELECT number, id, attempts FROM fibry_message"
            + " WHERE type = ? AND attempt_at <= ? ORDER BY attempt_at FETCH FIRST ? ROWS ONLY FOR UPDATE SKIP LOCKED";

    private static final String POSTPONE = "UPDATE fibry_message SET attempts = ?, attempt_at = ? WHERE number = ?";
    private static final String WAITING = "SELECT COUNT(CASE WHEN reminder IS NULL THEN 1 END), COUNT(reminder)"
            + " FROM fibry_message WHERE type = ? AND attempt_at <= ? AND due <= ?";

    private static final String KEEP =
            "INSERT INTO fibry_reply (type, id, request, time, reply) VALUES (?, ?, ?, ?, ?)";
    private static final String REPLY = "SELECT reply FROM fibry_reply WHERE type = ? AND id = ? AND request = ?";
    private static final String OLD_REPLIES = "SELECT id, request FROM fibry_reply WHERE type = ? AND time < ?"
            + " ORDER BY time FETCH FIRST ? ROWS ONLY FOR UPDATE SKIP LOCKED";
    private static final String DELETE_REPLY = "DELETE FROM fibry_reply WHERE type = ? AND id = ? AND request = ?";

    private MessageRows() {}

    // ---- changes

    /**
     * Stores the outgoing parts of changes whose entities are locked.
     *
     * @throws SQLException also if a handled message does not exist
     */
    static void write(Connection connection, List<Write> writes, int timeout) throws SQLException {
        var handled = new ArrayList<Long>();
        var cancelled = new ArrayList<Cancelled>();
        var messages = new ArrayList<NewMessage>();
        var kept = new ArrayList<Kept>();
        for (Write write : writes) {
            Outgoing outgoing = write.outgoing();
            handled.addAll(outgoing.handled());
            outgoing.cancelled().forEach(reminder -> cancelled.add(new Cancelled(write, reminder)));
            messages.addAll(outgoing.messages());
            if (outgoing.reply() != null) {
                kept.add(new Kept(write, outgoing.reply()));
            }
        }
        var batches = new Batches(connection, timeout);
        int[] deleted = batches.run(DELETE, handled, (statement, number) -> statement.setLong(1, number));
        for (int i = 0; i < deleted.length; i++) {
            if (deleted[i] != 1) {
                throw new SQLException("the stored message " + handled.get(i) + " does not exist");
            }
        }
        batches.run(CANCEL, cancelled, (statement, c) -> setKey(statement, c.write.type(), c.write.id(), c.reminder));
        batches.run(INSERT, messages, MessageRows::set);
        long now = Time.now().toEpochMilli();
        batches.run(KEEP, kept, (statement, k) -> {
            setKey(statement, k.write.type(), k.write.id(), k.reply.requestKey());
            statement.setLong(4, now);
            statement.setBytes(5, k.reply.reply());
        });
    }

    private record Cancelled(Write write, String reminder) {}

    private record Kept(Write write, KeptReply reply) {}

    /** Stores a message in a transaction of the program. */
    static void insert(Connection connection, String type, String id, Instant now, byte[] message) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
            set(statement, new NewMessage(type, id, null, null, null, 0, now.toEpochMilli(), message));
            statement.executeUpdate();
        }
    }

    private static void set(PreparedStatement statement, NewMessage message) throws SQLException {
        statement.setString(1, message.type());
        statement.setString(2, message.id());
        setText(statement, 3, message.sender());
        setText(statement, 4, message.topic());
        setText(statement, 5, message.reminder());
        statement.setLong(6, message.due());
        statement.setLong(7, message.attempt());
        statement.setBytes(8, message.message());
    }

    private static void setText(PreparedStatement statement, int index, @Nullable String text) throws SQLException {
        if (text == null) {
            statement.setNull(index, Types.VARCHAR);
        } else {
            statement.setString(index, text);
        }
    }

    private static void setKey(PreparedStatement statement, String type, String id, String name) throws SQLException {
        statement.setString(1, type);
        statement.setString(2, id);
        statement.setString(3, name);
    }

    // ---- delivery

    static List<StoredMessage> due(
            Connection connection, String type, String id, Instant now, Excluded excluded, int limit, int timeout)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(due(excluded))) {
            statement.setQueryTimeout(timeout);
            statement.setString(1, type);
            statement.setString(2, id);
            statement.setLong(3, now.toEpochMilli());
            int index = 4;
            for (long number : excluded.numbers()) {
                statement.setLong(index++, number);
            }
            for (String sender : excluded.senders()) {
                statement.setString(index++, sender);
            }
            for (String topic : excluded.topics()) {
                statement.setString(index++, topic);
            }
            statement.setInt(index, limit);
            try (ResultSet rows = statement.executeQuery()) {
                List<StoredMessage> messages = new ArrayList<>();
                while (rows.next()) {
                    messages.add(new StoredMessage(
                            rows.getLong(1),
                            rows.getString(2),
                            rows.getString(3),
                            rows.getLong(4) > 0,
                            rows.getBytes(5)));
                }
                return messages;
            }
        }
    }

    /** Returns the statement that reads the messages of an entity, except for the excluded ones. */
    static String due(Excluded excluded) {
        return DUE
                + notIn(" AND (number NOT IN ", excluded.numbers())
                + notIn(" AND (topic IS NOT NULL OR sender IS NULL OR sender NOT IN ", excluded.senders())
                + notIn(" AND (topic IS NULL OR topic NOT IN ", excluded.topics())
                + DUE_END;
    }

    /** Returns a condition with a parameter for each value, or an empty text if there are none. */
    private static String notIn(String begin, Set<?> values) {
        if (values.isEmpty()) {
            return "";
        }
        return begin + "(" + String.join(", ", Collections.nCopies(values.size(), "?")) + "))";
    }

    /** Skips messages that another transaction claims or deletes. Returns each id once. */
    static List<String> claim(Connection connection, String type, Instant now, int limit, int timeout)
            throws SQLException {
        record Claimed(long number, int attempts) {}
        Set<String> ids = new LinkedHashSet<>();
        List<Claimed> claimed = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(CLAIM)) {
            statement.setQueryTimeout(timeout);
            statement.setString(1, type);
            statement.setLong(2, now.toEpochMilli());
            statement.setInt(3, limit);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getString(2));
                    claimed.add(new Claimed(rows.getLong(1), rows.getInt(3)));
                }
            }
        }
        new Batches(connection, timeout).run(POSTPONE, claimed, (statement, c) -> {
            statement.setInt(1, c.attempts + 1);
            statement.setLong(2, DurableStore.nextAttempt(now, c.attempts));
            statement.setLong(3, c.number);
        });
        return List.copyOf(ids);
    }

    static Waiting waiting(Connection connection, String type, Instant now, int timeout) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(WAITING)) {
            statement.setQueryTimeout(timeout);
            statement.setString(1, type);
            // The next attempt of everything that is due is at most a minute away, and only this column has an index.
            statement.setLong(2, now.plus(DurableStore.MAX_PAUSE).toEpochMilli());
            statement.setLong(3, now.toEpochMilli());
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return new Waiting(rows.getLong(1), rows.getLong(2));
            }
        }
    }

    // ---- replies

    static @Nullable StoredReply reply(Connection connection, String type, String id, String request, int timeout)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(REPLY)) {
            statement.setQueryTimeout(timeout);
            setKey(statement, type, id, request);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? new StoredReply(rows.getBytes(1)) : null;
            }
        }
    }

    static int deleteReplies(Connection connection, String type, Instant before, int limit, int timeout)
            throws SQLException {
        record Old(String id, String request) {}
        List<Old> old = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(OLD_REPLIES)) {
            statement.setQueryTimeout(timeout);
            statement.setString(1, type);
            statement.setLong(2, before.toEpochMilli());
            statement.setInt(3, limit);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    old.add(new Old(rows.getString(1), rows.getString(2)));
                }
            }
        }
        new Batches(connection, timeout)
                .run(DELETE_REPLY, old, (statement, o) -> setKey(statement, type, o.id, o.request));
        return old.size();
    }
}
