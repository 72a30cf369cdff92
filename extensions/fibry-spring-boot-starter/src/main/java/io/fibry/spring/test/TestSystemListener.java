package io.fibry.spring.test;

import io.fibry.test.TestSystem;
import java.lang.Thread.UncaughtExceptionHandler;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.support.AbstractTestExecutionListener;
import org.springframework.test.context.support.DependencyInjectionTestExecutionListener;

/**
 * Creates a test system before the context of each method with {@link AutoConfigureTestSystem}, and closes both after
 * the method. The order is the highest: all listeners that load the context come later, and all that use it after the
 * method come earlier.
 */
final class TestSystemListener extends AbstractTestExecutionListener {

    /** A test system of the current thread, and the tests that use it: a nested test has that of its outer class. */
    private record Running(TestSystem system, UncaughtExceptionHandler handler, Set<TestContext> tests) {}

    private static final ThreadLocal<@Nullable Running> RUNNING = new ThreadLocal<>();

    /** Returns the test system of the calling thread. */
    static TestSystem current() {
        Running running = RUNNING.get();
        if (running == null) {
            throw new IllegalStateException("The context of a test with @AutoConfigureTestSystem was loaded before its"
                    + " TestSystem: do not load it in a static method or a listener, and let @TestExecutionListeners"
                    + " merge with the defaults");
        }
        return running.system;
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void prepareTestInstance(TestContext test) {
        begin(test);
    }

    /** Has an effect for the later methods of an instance. */
    @Override
    public void beforeTestMethod(TestContext test) {
        begin(test);
    }

    @Override
    public void afterTestMethod(TestContext test) {
        Running running = RUNNING.get();
        if (running != null) {
            end(running);
        }
    }

    private static void begin(TestContext test) {
        if (!TestContextAnnotationUtils.hasAnnotation(test.getTestClass(), AutoConfigureTestSystem.class)) {
            return;
        }
        Running running = RUNNING.get();
        if (running != null && !isOf(running, Thread.currentThread())) { // its test had no end, and JUnit has closed it
            RUNNING.remove();
            running.tests.forEach(TestSystemListener::closeContext);
            running = null;
        }
        if (running == null) {
            TestSystem system = TestSystem.create();
            running = new Running(system, Thread.currentThread().getUncaughtExceptionHandler(), new LinkedHashSet<>());
            RUNNING.set(running);
        }
        if (running.tests.add(test)) {
            load(test, running);
        }
    }

    /** A test system marks its thread by the handler. */
    private static boolean isOf(Running running, Thread thread) {
        return thread.getUncaughtExceptionHandler() == running.handler;
    }

    private static void load(TestContext test, Running running) {
        try {
            ApplicationContext context = test.getApplicationContext();
            if (context.getBean(TestSystem.class) != running.system) {
                running.tests.remove(test); // the other test closes its context
                throw new IllegalStateException(
                        "The context of " + test.getTestClass().getName()
                                + " belongs to a test that runs at the same time: run the tests with"
                                + " @AutoConfigureTestSystem on one thread, with"
                                + " @Execution(ExecutionMode.SAME_THREAD)");
            }
        } catch (Throwable failure) { // JUnit does not call afterTestMethod
            try {
                end(running);
            } catch (Throwable t) {
                failure.addSuppressed(t);
            }
            throw failure;
        }
    }

    private static void end(Running running) {
        RUNNING.remove();
        // Spring Boot replaces the handler when an application does not start.
        Thread.currentThread().setUncaughtExceptionHandler(running.handler);
        try {
            running.tests.forEach(TestSystemListener::closeContext);
        } finally {
            running.system.close();
        }
    }

    private static void closeContext(TestContext test) {
        test.markApplicationContextDirty(null);
        test.setAttribute(DependencyInjectionTestExecutionListener.REINJECT_DEPENDENCIES_ATTRIBUTE, true);
    }
}
