package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The code that processes failures, restarts and ends links no call site after the initialization of its class. This
 * code may run for the first time while memory is exhausted. The JVM does not retry a linkage that failed: an actor
 * would never restart again.
 *
 * <p>Seen to fail: the deadline of a drain that a lambda passed to the timers.
 */
class LinkageRuleTest {

    /** Call sites that the compiler adds to records. */
    private static final Set<String> OF_RECORDS = Set.of("toString", "hashCode", "equals");

    @ParameterizedTest
    @ValueSource(
            classes = {
                ActorList.class,
                ChildMessages.class,
                Children.class,
                ContextSources.class,
                DeadLetters.class,
                DeferredReplies.class,
                DrainDeadline.class,
                Failures.class,
                KernelLog.class,
                LastTurn.class,
                Lifecycle.class,
                OfBehavior.class,
                Pause.class,
                Pipes.class,
                RareState.class,
                RestartHistory.class,
                RestartTurn.class,
                Restarts.class,
                Stash.class,
                SupervisedChild.class,
                SuspendedTurn.class,
                Timers.class,
                WaitingAsks.class,
                Watching.class,
                Watchers.class
            })
    void linksNothingAfterItsInitialization(Class<?> type) {
        List<String> found =
                withNested(type).flatMap(each -> linking(each).stream()).toList();
        assertEquals(List.of(), found, "use a loop, a nested class or a constant instead of a lambda");
    }

    @Test
    void findsALambda() {
        assertEquals(List.of("withLambda"), linking(Example.class));
    }

    private static final class Example {
        @SuppressWarnings("unused") // read by the disassembler only
        private static final Runnable CONSTANT = Example::run;

        private static void run() {}

        @SuppressWarnings("unused")
        private static void withLambda(List<Object> list, int size) {
            list.removeIf(each -> list.size() > size);
        }
    }

    private static Stream<Class<?>> withNested(Class<?> type) {
        return Stream.concat(
                Stream.of(type), Stream.of(type.getDeclaredClasses()).flatMap(LinkageRuleTest::withNested));
    }

    /** The methods that contain an {@code invokedynamic} instruction, except the class initializer. */
    private static List<String> linking(Class<?> type) {
        var found = new ArrayList<String>();
        String method = "";
        for (String line : disassembled(type).lines().toList()) {
            if (line.startsWith("  ") && !line.startsWith("   ") && line.endsWith(";")) {
                String declaration = line.substring(0, Math.max(0, line.indexOf('(')));
                method = declaration.substring(declaration.lastIndexOf(' ') + 1); // empty for the class initializer
            } else if (line.contains(": invokedynamic") && !method.isEmpty() && !OF_RECORDS.contains(method)) {
                found.add(method);
            }
        }
        return found;
    }

    private static String disassembled(Class<?> type) {
        Optional<ToolProvider> javap = ToolProvider.findFirst("javap");
        assumeTrue(javap.isPresent(), "this Java has no javap");
        var out = new StringWriter();
        var writer = new PrintWriter(out);
        String path = type.getProtectionDomain().getCodeSource().getLocation().getPath();
        int status = javap.orElseThrow().run(writer, writer, "-p", "-c", "-cp", path, type.getName());
        assertEquals(0, status, out.toString());
        return out.toString();
    }
}
