package io.fibry.durable;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.h2.api.ErrorCode;
import org.h2.engine.SysProperties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens an embedded database. The first process that opens the file serves it to the other processes of the machine;
 * when it ends, one of them takes over. Confined to one thread.
 */
final class H2File {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcStore.class);

    private static final String BIND_ADDRESS = "h2.bindAddress";

    /** The error codes of H2 while a file moves from one process to another. */
    private static final Set<Integer> MOVING = Set.of(
            ErrorCode.ERROR_OPENING_DATABASE_1,
            ErrorCode.DATABASE_ALREADY_OPEN_1,
            ErrorCode.DATABASE_CALLED_AT_SHUTDOWN,
            ErrorCode.DATABASE_IS_CLOSED,
            ErrorCode.DATABASE_IS_IN_EXCLUSIVE_MODE,
            ErrorCode.CONNECTION_BROKEN_1);

    /** H2 writes up to several megabytes at once. */
    private static final long LITTLE_SPACE = 16 << 20;

    private final String url;
    private final Path lockFile;
    private final int timeout;
    private @Nullable Connection connection;

    /** Does not open the file. The timeout is in seconds; opening the file may take twice as long. */
    H2File(Path file, int timeout) {
        this.timeout = timeout;
        String path = file.toAbsolutePath().normalize().toString();
        if (path.indexOf(';') >= 0) {
            throw new IllegalArgumentException("H2 cannot open a file whose path has a semicolon: " + path);
        }
        lockFile = Path.of(path + ".open");
        // NETWORK_TIMEOUT: the process that serves the file may be suspended, for instance in a debugger.
        url = "jdbc:h2:file:" + path + ";AUTO_SERVER=TRUE;WRITE_DELAY=0;TRACE_LEVEL_FILE=0;NETWORK_TIMEOUT="
                + TimeUnit.SECONDS.toMillis(timeout);
        listenOnLoopback();
    }

    /** Prevents H2 from listening on all addresses. H2 reads this property once, when its classes are loaded. */
    private static void listenOnLoopback() {
        setBindAddress();
        if (SysProperties.BIND_ADDRESS == null) {
            throw new IllegalStateException(
                    "H2 was in use before, and would listen on all addresses of this machine: start Java with -D"
                            + BIND_ADDRESS + "=127.0.0.1");
        }
    }

    /** Takes effect unless the classes of H2 have been loaded before. */
    static void setBindAddress() {
        if (System.getProperty(BIND_ADDRESS) == null) {
            System.setProperty(BIND_ADDRESS, "127.0.0.1");
        }
    }

    /** Returns a working connection. Retries while the file moves, which is safe before any write. */
    Connection open() throws SQLException {
        Connection c = connection;
        if (c != null && c.isValid(timeout)) {
            return c;
        }
        drop();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(2L * timeout);
        while (true) {
            boolean late = System.nanoTime() - deadline > 0;
            try {
                c = openAlone();
                if (c != null) {
                    connection = c;
                    return c;
                }
                if (late) {
                    throw new SQLException(
                            "another process has kept " + lockFile + " locked for " + 2 * timeout + " seconds");
                }
            } catch (SQLException e) {
                if (late || !MOVING.contains(e.getErrorCode())) {
                    throw e;
                }
                LOG.debug("The database cannot be opened yet: {}", e.getMessage());
            }
            pause();
        }
    }

    /**
     * Returns null if another process is opening the file. If several take over at once, H2 may refuse all of them for
     * a long time.
     */
    private @Nullable Connection openAlone() throws SQLException {
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            return lock == null ? null : connect();
        } catch (OverlappingFileLockException e) {
            return null; // another store of this process
        } catch (IOException e) {
            throw new SQLException("cannot lock " + lockFile, e);
        }
    }

    private Connection connect() throws SQLException {
        Connection c = DriverManager.getConnection(url, "sa", "");
        try {
            // With auto-commit, H2 would reconnect to the next process and repeat CHECKPOINT SYNC there, which would
            // succeed although the preceding change was lost with the previous process.
            c.setAutoCommit(false);
            Schema.create(c, timeout);
            c.commit();
            return c;
        } catch (SQLException | RuntimeException e) {
            try (c) {
                throw e;
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(50);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts the thread of a store", e);
        }
    }

    /** Adds the free space of the disk to a failure if there is little: H2 only reports that it has closed the file. */
    SQLException explain(SQLException failure) {
        try {
            long free = Files.getFileStore(lockFile).getUsableSpace();
            if (free < LITTLE_SPACE) {
                return new SQLException(
                        failure.getMessage() + "; the disk of " + lockFile.getParent() + " has only " + free
                                + " bytes left",
                        failure.getSQLState(),
                        failure.getErrorCode(),
                        failure);
            }
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
        return failure;
    }

    /** Closes a connection that may be broken. */
    void drop() {
        try {
            close();
        } catch (SQLException e) {
            LOG.debug("A connection that is given up could not be closed.", e);
        }
    }

    void close() throws SQLException {
        Connection c = connection;
        connection = null;
        if (c != null) {
            c.close();
        }
    }
}
