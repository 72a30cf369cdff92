package io.fibry.durable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Fills the disk with states until a change fails, then frees space and continues. The argument is a folder on a small
 * file system. Prints {@code complete} if all confirmed states are there.
 */
final class FullDisk {

    private static final int STATE_BYTES = 64 << 10;
    private static final int RESERVE_BYTES = 8 << 20;
    private static final int AFTER = 20;
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

    private FullDisk() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        Path reserve = Files.write(folder.resolve("reserve"), new byte[RESERVE_BYTES]);
        try (var store = JdbcStore.h2(folder.resolve("states"))) {
            int confirmed = fill(store);
            Files.delete(reserve);
            long start = System.nanoTime();
            while (!isSaved(store, "again")) {
                require(System.nanoTime() - start < LIMIT_NANOS, "no change succeeds on a disk with space");
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
            for (int i = 0; i < AFTER; i++) {
                JdbcStoreCase.save(store, "state", "after" + i, 0, state(i));
            }
            check(store, confirmed);
        }
        try (var store = JdbcStore.h2(folder.resolve("states"))) {
            check(store, 0);
        }
        System.out.println("complete");
    }

    /** Returns the number of confirmed states. */
    private static int fill(JdbcStore store) throws InterruptedException {
        for (int i = 0; ; i++) {
            try {
                JdbcStoreCase.save(store, "state", "before" + i, 0, state(i));
            } catch (SQLException full) {
                require(full.getMessage().contains("bytes left"), full.toString());
                return i;
            }
        }
    }

    /** Returns whether the change is confirmed. One without confirmation may also have been stored. */
    private static boolean isSaved(JdbcStore store, String id) throws InterruptedException {
        try {
            JdbcStoreCase.save(store, "state", id, 0, state(0));
            return true;
        } catch (StaleStateException stored) {
            return true;
        } catch (SQLException full) {
            return false;
        }
    }

    private static void check(JdbcStore store, int confirmed) throws Exception {
        for (int i = 0; i < confirmed; i++) {
            check(store, "before" + i, i);
        }
        for (int i = 0; i < AFTER; i++) {
            check(store, "after" + i, i);
        }
    }

    private static void check(JdbcStore store, String id, int i) throws Exception {
        DurableStore.Stored stored = store.load("state", id);
        require(stored != null && Arrays.equals(stored.state(), state(i)), id + " is lost");
    }

    private static byte[] state(int i) {
        var state = new byte[STATE_BYTES];
        new java.util.Random(i).nextBytes(state); // cannot be compressed
        return state;
    }

    private static void require(boolean condition, String failure) {
        if (!condition) {
            throw new IllegalStateException(failure);
        }
    }
}
