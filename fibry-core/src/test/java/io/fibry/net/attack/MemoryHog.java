package io.fibry.net.attack;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Memory that the handlers of a server keep until their clients close their connections: 1 MB each, and the last bytes
 * of the heap.
 */
final class MemoryHog {

    private static final int WANTED = 1 << 20;
    private static final int SMALLEST = 32;
    private static final AtomicBoolean LAST_BYTES = new AtomicBoolean();

    /**
     * The answer to the client whose handler keeps the last bytes. Made at the start, since there is no memory for it
     * later.
     */
    static final byte[] FULL = {'f'};

    private final byte[][] kept = new byte[64][];
    private boolean keepsLast;

    /**
     * Keeps 1 MB. If there is no such piece, one handler at a time answers, and, if requested, keeps all remaining
     * memory.
     */
    boolean take(boolean whole) {
        kept[0] = piece(WANTED);
        if (kept[0] == null && LAST_BYTES.compareAndSet(false, true)) {
            keepsLast = true;
            int size = whole ? WANTED / 2 : 0;
            for (int i = 1; i < kept.length && size >= SMALLEST; i++) {
                kept[i] = piece(size);
                size = kept[i] == null ? size / 2 : size;
            }
        }
        return keepsLast;
    }

    private static byte @Nullable [] piece(int size) {
        try {
            return new byte[size];
        } catch (OutOfMemoryError e) {
            return null;
        }
    }

    void release() {
        for (int i = 0; i < kept.length; i++) {
            kept[i] = null;
        }
        if (keepsLast) {
            LAST_BYTES.set(false);
        }
    }
}
