package io.fibry.bench.durable;

import com.zaxxer.hikari.HikariDataSource;
import io.fibry.bench.durable.Account.Deposited;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The rows of this library, written with plain JDBC: the conditional update of the version of the account and
 * the insertion of events, in one transaction. A lock per account replaces the actor.
 */
final class JdbcAccounts implements Accounts {

    static final String TYPE = "account";
    static final int SLICES = 32;

    private static final String[] TABLES = {
        "CREATE TABLE plain_entity (type VARCHAR(100) NOT NULL, id VARCHAR(500) NOT NULL, version BIGINT NOT NULL,"
                + " state BYTEA, state_version BIGINT NOT NULL, PRIMARY KEY (type, id))",
        "CREATE TABLE plain_event (type VARCHAR(100) NOT NULL, slice INTEGER NOT NULL, position BIGINT NOT NULL,"
                + " id VARCHAR(500) NOT NULL, version BIGINT NOT NULL, time TIMESTAMP WITH TIME ZONE NOT NULL,"
                + " event BYTEA NOT NULL, PRIMARY KEY (type, slice, position), UNIQUE (type, id, version))",
    };
    private static final String CREATE =
            "INSERT INTO plain_entity (type, id, version, state, state_version) VALUES (?, ?, 0, NULL, 0)";
    private static final String UPDATE =
            "UPDATE plain_entity SET version = ? WHERE type = ? AND id = ? AND version = ?";
    private static final String UPDATE_STATE =
            "UPDATE plain_entity SET state = ?, state_version = ? WHERE type = ? AND id = ?";
    private static final String APPEND = "INSERT INTO plain_event (type, slice, position, id, version, time, event)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?)";
    private static final String LOAD =
            "SELECT version, state, state_version FROM plain_entity WHERE type = ? AND id = ?";
    private static final String EVENTS = "SELECT version, time, event FROM plain_event"
            + " WHERE type = ? AND id = ? AND version > ? ORDER BY version";

    private final Storage storage;
    private final HikariDataSource pool;
    private final Map<String, Cached> accounts = new ConcurrentHashMap<>();
    private final AtomicLong position = new AtomicLong();

    /** An account in memory, whose balance is also its version. */
    private static final class Cached {
        private final ReentrantLock lock = new ReentrantLock();
        private boolean isKnown;
        private long version;
    }

    private JdbcAccounts(Storage storage, HikariDataSource pool) {
        this.storage = storage;
        this.pool = pool;
    }

    static JdbcAccounts open(Storage storage) throws SQLException {
        storage.server().execute(TABLES);
        return new JdbcAccounts(storage, storage.server().pool(false));
    }

    private Cached account(String key) {
        var created = new Cached();
        Cached known = accounts.putIfAbsent(key, created);
        return known == null ? created : known;
    }

    @Override
    public long deposit(String key, int times) throws SQLException {
        Cached account = account(key);
        account.lock.lock();
        try (Connection connection = pool.getConnection()) {
            long before = known(account, key, connection);
            long after = before + times;
            if (before == 0) {
                update(connection, CREATE, TYPE, key);
            }
            update(connection, UPDATE, after, TYPE, key, before);
            append(connection, key, before, times);
            if (storage.isSnapshotDue(before, after)) {
                update(connection, UPDATE_STATE, Account.STATES.encode(new Account(after)), after, TYPE, key);
            }
            connection.commit();
            account.version = after;
            return after;
        } finally {
            account.lock.unlock();
        }
    }

    private static void update(Connection connection, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            if (statement.executeUpdate() != 1) {
                throw new IllegalStateException("another writer has changed the account");
            }
        }
    }

    private void append(Connection connection, String key, long before, int times) throws SQLException {
        OffsetDateTime now = OffsetDateTime.now(ZoneOffset.UTC);
        try (PreparedStatement statement = connection.prepareStatement(APPEND)) {
            for (int i = 1; i <= times; i++) {
                statement.setString(1, TYPE);
                statement.setInt(2, Math.floorMod(key.hashCode(), SLICES));
                statement.setLong(3, position.incrementAndGet());
                statement.setString(4, key);
                statement.setLong(5, before + i);
                statement.setObject(6, now);
                statement.setBytes(7, Account.EVENTS.encode(Deposited.ONE));
                statement.addBatch();
            }
            int[] unused = statement.executeBatch();
        }
    }

    @Override
    public long balance(String key) throws SQLException {
        Cached account = account(key);
        account.lock.lock();
        try (Connection connection = pool.getConnection()) {
            return known(account, key, connection);
        } finally {
            account.lock.unlock();
        }
    }

    private static long known(Cached account, String key, Connection connection) throws SQLException {
        if (!account.isKnown) {
            account.version = load(connection, key);
            account.isKnown = true;
        }
        return account.version;
    }

    /** Reads the rows, without decoding the events: each of them is a deposit of 1. */
    private static long load(Connection connection, String key) throws SQLException {
        long balance = 0;
        long version = 0;
        try (PreparedStatement statement = connection.prepareStatement(LOAD)) {
            statement.setString(1, TYPE);
            statement.setString(2, key);
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    return 0;
                }
                byte[] state = rows.getBytes(2);
                version = rows.getLong(3);
                balance = state == null ? 0 : Account.STATES.decode(state).balance();
            }
        }
        try (PreparedStatement statement = connection.prepareStatement(EVENTS)) {
            statement.setString(1, TYPE);
            statement.setString(2, key);
            statement.setLong(3, version);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    boolean isNext = rows.getLong(1) == ++version
                            && rows.getObject(2, OffsetDateTime.class) != null
                            && rows.getBytes(3).length > 0;
                    balance += isNext ? 1 : 0;
                }
            }
        }
        connection.commit();
        return balance;
    }

    @Override
    public void forget() {
        accounts.clear();
    }

    @Override
    public long events() throws SQLException {
        return storage.server().number("SELECT COUNT(*) FROM plain_event");
    }

    @Override
    public Projection.Running project(Projection projection) throws SQLException {
        return PlainProjection.start(storage.server(), pool, projection);
    }

    @Override
    public void close() {
        pool.close();
    }
}
