package io.fibry.test;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The failures of actors that the test expects or allows. All access is by the thread that runs. An actor has two
 * names: its own, and the one in the trace, which has a number in place of the identity of an actor without a name.
 */
final class ExpectedFailures {

    private record Expected(String actor, Class<? extends Throwable> type, boolean anyNumber) {
        boolean matches(String name, String nameInTrace, Throwable t) {
            return (actor.equals(name) || actor.equals(nameInTrace)) && type.isInstance(t);
        }
    }

    private final List<Expected> open = new ArrayList<>();

    /** Expects exactly one failure. */
    void expect(String actor, Class<? extends Throwable> type) {
        open.add(new Expected(actor, type, false));
    }

    /** Expects any number of failures, also none. */
    void allow(String actor, Class<? extends Throwable> type) {
        open.add(new Expected(actor, type, true));
    }

    /** Whether the failure is expected. It then counts as the one that was expected. */
    boolean take(String name, String nameInTrace, Throwable t) {
        Expected match = match(name, nameInTrace, t);
        if (match != null && !match.anyNumber) {
            open.remove(match);
        }
        return match != null;
    }

    /** Whether the failure is expected. It does not count yet. */
    boolean isExpected(String name, String nameInTrace, Throwable t) {
        return match(name, nameInTrace, t) != null;
    }

    /** The first expectation that it meets; expectations of exactly one failure come first. */
    private @Nullable Expected match(String name, String nameInTrace, Throwable t) {
        Expected allowed = null;
        for (Expected expected : open) {
            if (expected.matches(name, nameInTrace, t)) {
                if (!expected.anyNumber) {
                    return expected;
                }
                allowed = expected;
            }
        }
        return allowed;
    }

    /** Checks that each expected failure has occurred. */
    void check() {
        for (Expected expected : open) {
            if (!expected.anyNumber) {
                throw new AssertionError("actor " + Trace.plain(expected.actor) + " was expected to fail with "
                        + expected.type.getName() + ", and has not; if it fails in some runs only, call allowFailures");
            }
        }
    }

    /**
     * The error of a test in which an actor has failed unexpectedly.
     *
     * @param failedAt the predicate of the sentence, such as {@code failed to handle a message}
     */
    static AssertionError unexpected(String nameInTrace, String failedAt, @Nullable Object message, Throwable failure) {
        String actor = Trace.plain(nameInTrace);
        String what = message == null ? failedAt : "failed to handle " + Trace.text(message);
        return new AssertionError(
                (actor.startsWith("actor ") ? "" : "actor ") + actor + " " + what + ", and no asker gets the failure: "
                        + Trace.plain(failure.toString())
                        + "\nIf the test expects this, call expectFailure(\"" + actor + "\", "
                        + declared(failure.getClass()).getSimpleName() + ".class) of its TestSystem before",
                failure);
    }

    /** The class, or the first superclass that has a name. */
    private static Class<?> declared(Class<?> type) {
        Class<?> named = type;
        while (named.isAnonymousClass()) {
            named = named.getSuperclass();
        }
        return named;
    }
}
