package io.fibry.test;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Ends a {@link TestSystem} that its test or test class has left open. The JUnit Platform finds this class by its
 * service file and calls it on the thread of the test. Programs do not use it.
 */
public final class TestEnds implements TestExecutionListener {

    /** Called by the JUnit Platform. */
    public TestEnds() {}

    @Override
    public void executionStarted(TestIdentifier test) {
        RunningTest.started(test.getUniqueId(), name(test));
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        RunningTest.finished(test.getUniqueId());
    }

    private static String name(TestIdentifier test) {
        TestSource source = test.getSource().orElse(null);
        return switch (source) {
            case MethodSource method -> method.getClassName() + "." + method.getMethodName();
            case ClassSource type -> type.getClassName();
            case null, default -> test.getDisplayName();
        };
    }
}
