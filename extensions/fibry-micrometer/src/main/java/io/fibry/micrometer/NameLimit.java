package io.fibry.micrometer;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Admits a limited number of names, in the order of their appearance. A name of an ended actor keeps its place, because
 * the monitoring system remembers it. Not thread-safe.
 */
final class NameLimit {

    private final int max;
    private final Predicate<? super String> wanted;
    private final Set<String> admitted = new HashSet<>();

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
        return admitted.size() < max && isText(name) && wanted.test(name) && admitted.add(name);
    }

    private static boolean isText(String name) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(name);
    }
}
