package io.fibry.test;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A test, or a container of tests such as a class, that runs on a thread. {@link TestEnds} reports start and end;
 * without the JUnit Platform, there are no running tests. A test runs inside its containers, and all of them start and
 * end on one thread, in stack order.
 *
 * <p>Each has at most one open {@link TestSystem}: the system that was created while this test was the innermost. The
 * system ends with it.
 */
final class RunningTest {

    private static final Logger LOG = LoggerFactory.getLogger(TestSystem.class);
    private static final ThreadLocal<@Nullable RunningTest> INNERMOST = new ThreadLocal<>();

    private final String id;
    private final String name;
    private final @Nullable RunningTest outer;
    private @Nullable TestSystem open;

    private RunningTest(String id, String name, @Nullable RunningTest outer) {
        this.id = id;
        this.name = name;
        this.outer = outer;
    }

    static void started(String id, String name) {
        INNERMOST.set(new RunningTest(id, name, INNERMOST.get()));
    }

    /** Ends the test, and the tests inside it whose end was not reported. */
    static void finished(String id) {
        if (around().stream().noneMatch(test -> test.id.equals(id))) {
            return;
        }
        boolean found = false;
        for (RunningTest test = INNERMOST.get(); test != null && !found; test = test.outer) {
            found = test.id.equals(id);
            leave(test);
        }
    }

    private static void leave(RunningTest test) {
        if (test.outer == null) {
            INNERMOST.remove();
        } else {
            INNERMOST.set(test.outer);
        }
        TestSystem left = test.open;
        if (left != null) {
            test.open = null;
            Throwable failure = left.end();
            LOG.error(
                    "{} has left its TestSystem open. It is closed now, as it would capture the actor systems of later"
                            + " tests; close it with try, or in a method with @AfterEach or @AfterAll",
                    test.name,
                    failure);
        }
    }

    /** Returns the running tests of the calling thread, innermost first. */
    private static List<RunningTest> around() {
        var tests = new ArrayList<RunningTest>();
        for (RunningTest test = INNERMOST.get(); test != null; test = test.outer) {
            tests.add(test);
        }
        return tests;
    }

    /** Records that the calling thread has created this system. */
    static void opened(TestSystem system) {
        RunningTest test = INNERMOST.get();
        if (test != null) {
            test.open = system;
        }
    }

    /** Records that the test has closed this system. */
    static void closed(TestSystem system) {
        for (RunningTest test : around()) {
            if (test.open == system) {
                test.open = null;
            }
        }
    }

    /** Returns the name of the innermost test, or the location of the call into this package if there is none. */
    static String nameOrPlace() {
        RunningTest test = INNERMOST.get();
        return test != null ? test.name : place();
    }

    private static String place() {
        return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames.filter(frame -> !isOfThisModule(frame.getDeclaringClass()))
                        .findFirst()
                        .map(frame -> frame.toStackTraceElement().toString())
                        .orElse("an unknown test"));
    }

    private static boolean isOfThisModule(Class<?> type) {
        return type == RunningTest.class || type == TestSystem.class || type == Schedules.class;
    }
}
