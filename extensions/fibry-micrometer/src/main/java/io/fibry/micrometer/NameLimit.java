package io.fibry.micrometer;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * Admits a limited number of names, in the order of their appearance. A name of an ended actor keeps its place, because
 * the monitoring system remembers it. Thread-safe.
 */
final class NameLimit {

    private final int max;
    private final Predicate<? super String> wanted;
    private final Set<String> admitted = ConcurrentHashMap.newKeySet(); // names are added under the lock
    private final ReentrantLock additions = new ReentrantLock();

    NameLimit(int max, Predicate<? super String> wanted) {
        this.max = max;
        this.wanted = wanted;
    }

    /**
     * Whether the name is admitted. Names with invalid Unicode are not, because two of them could become equal when
     * they are encoded.
     */
    boolean admits(String name) {
        if (admitted.contains(name)) {
            return true;
        }
        // A full limit, or a name that is not wanted, takes no lock: threads of actors call this.
        if (admitted.size() >= max || !isText(name) || !wanted.test(name)) {
            return false;
        }
        additions.lock();
        try {
            return admitted.contains(name) || (admitted.size() < max && admitted.add(name));
        } finally {
            additions.unlock();
        }
    }

    private static boolean isText(String name) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(name);
    }
}
