package io.fibry.micrometer;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Lets through a limited number of names: the first ones, for good. Names that end do not make room for others: the monitoring
 * system remembers each of them. For one thread at a time.
 */
final class NameLimit {

    private final int atMost;
    private final Predicate<? super String> wanted;
    private final Set<String> admitted = new HashSet<>();

    NameLimit(int atMost, Predicate<? super String> wanted) {
        this.atMost = atMost;
        this.wanted = wanted;
    }

    /** Whether the name is one of those. Not if it is no valid text: two of them might look the same when they are sent. */
    boolean admits(String name) {
        if (admitted.contains(name)) {
            return true;
        }
        return admitted.size() < atMost && isText(name) && wanted.test(name) && admitted.add(name);
    }

    private static boolean isText(String name) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(name);
    }
}
