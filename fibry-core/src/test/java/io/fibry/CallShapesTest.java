package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ways to make actors, and the compile errors of the invalid ones. */
class CallShapesTest extends KernelTest {

    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    private final CallShapes shapes = new CallShapes(system);

    @TempDir
    Path folder;

    private void on(String line) throws IOException {
        lines.add(Files.readString(Files.writeString(folder.resolve("line"), line)));
    }

    private int length(String line) throws IOException {
        on(line);
        return line.length();
    }

    @Test
    void theExamplesOfTheJavadocWork() throws IOException {
        var plain = shapes.plain(lines);
        Path file = Files.createFile(folder.resolve("a"));
        plain.cleaner().tell(file);
        plain.cleaner().close();
        assertFalse(Files.exists(file));
        plain.printer().close();
        plain.log().tell("a line");
        plain.log().close();
        assertEquals(List.of("a line"), lines);

        var replies = shapes.plainWithReturn();
        assertEquals(7, Await.value(replies.numbers().ask("7")));
        assertInstanceOf(
                NumberFormatException.class, Await.failure(replies.numbers().ask("seven")));
        assertInstanceOf(
                NoSuchFileException.class, Await.failure(replies.sizes().ask(file)));
        assertEquals(49, Await.value(replies.squares().ask(7)));
    }

    @Test
    void theFactoryExamplesOfTheJavadocWork() throws IOException {
        var factories = shapes.factory(lines);
        factories.once().tell("once");
        Await.end(factories.once());
        factories.first().tell("first");
        factories.first().close();
        assertEquals(List.of("once", "first"), lines);
        Path file = Files.createFile(folder.resolve("a"));
        factories.second().tell(file);
        factories.second().close();
        assertFalse(Files.exists(file));
        factories.third().close();

        var replies = shapes.factoryWithReturn();
        assertEquals(1, Await.value(replies.counts().ask("a")));
        assertEquals(2, Await.value(replies.counts().ask("a")));
        assertEquals(3, Await.value(replies.sums().ask(3)));
        assertEquals(7, Await.value(replies.sums().ask(4)));
    }

    @Test
    void methodReferencesAndLambdasOfEveryShapeAreBehaviors() throws Exception {
        Actor<String> on = system.actor().newActor(this::on);
        ReplyActor<String, Integer> length = system.actor().newActorWithReturn(this::length);
        ReplyActor<String, String> upper = system.actor().newActorWithReturn(String::toUpperCase);
        var trimmed = system.actor().newActorWithReturn(String::strip);
        ReplyActor<String, StringBuilder> made = system.actor().newActorWithReturn(StringBuilder::new);
        var typed = system.actor().<String>newActor(line -> on(line));
        Actor<String> fromMethod = system.actor().newActorFrom(this::behavior);
        on.tell("on");
        on.close();
        assertEquals(6, length.call("length"));
        assertEquals("UPPER", upper.call("upper"));
        assertEquals("a", trimmed.call(" a "));
        assertEquals("made", made.call("made").toString());
        typed.tell("typed");
        typed.close();
        fromMethod.tell("from a method");
        fromMethod.close();
        assertEquals(List.of("on", "length", "typed", "from a method"), lines);
    }

    private ThrowingConsumer<String> behavior(ActorContext<String> context) {
        assertEquals(system, context.system());
        return this::on;
    }

    @Test
    void anOrderAppliesToItsMessageType() {
        Actor<Integer> numbers = system.actor()
                .priority(Comparator.<Number>comparingInt(Number::intValue))
                .newActor((Integer n) -> lines.add("number " + n));
        var words =
                system.actor().priority(Comparator.comparingInt(String::length)).newActor(word -> lines.add(word));
        numbers.tell(1);
        numbers.close();
        words.tell("word");
        words.close();
        assertEquals(List.of("number 1", "word"), lines);
    }

    @Test
    void javacAcceptsValidDeclarations() {
        assertEquals("", errors("Actor<String> a = system.actor().newActor(System.out::println);"));
        assertEquals(
                "", errors("var a = system.actor().newActorFrom((ActorContext<String> c) -> (String m) -> c.self());"));
        assertEquals(
                "",
                errors("Actor<Long> a = system.actor()"
                        + ".priority(Comparator.<Long>naturalOrder()).newActor(n -> {});"));
    }

    @Test
    void javacRefusesAnOrderOfAnotherMessageType() {
        assertRefused(
                "Actor<String> a = system.actor().priority(Comparator.<Integer>naturalOrder()).newActor(m -> {});");
        assertRefused("system.actor().priority(Comparator.<Integer>naturalOrder()).newActor((String m) -> {});");
        assertRefused(
                "system.actor().priority(Comparator.<Integer>naturalOrder()).newActorFrom(c -> (String m) -> {});");
        assertRefused(
                "system.actor().priority(Comparator.<Integer>naturalOrder()).priority(Comparator.<Long>naturalOrder());");
    }

    /**
     * As the Javadoc of {@link ActorBuilder#newActorFrom} says. If javac learns to infer the type, that sentence can be
     * removed.
     */
    @Test
    void javacDoesNotInferTheMessageTypeFromTheInnerLambda() {
        assertRefused("var a = system.actor().newActorFrom(c -> (String m) -> m.length());");
        assertRefused("var a = system.actor().newActorFrom((ActorContext<String> c) -> m -> m.length());");
    }

    @Test
    void aBehaviorOfTheWrongKindIsRefused() {
        assertRefused("ReplyActor<String, Integer> a = system.actor().newActor(m -> {});");
        assertRefused("ReplyActor<String, Integer> a = system.actor().newActorWithReturn(m -> m);");
        assertRefused("Actor<String> a = system.actor().newActorFrom(c -> m -> c.deferReply());");
    }

    private static void assertRefused(String statement) {
        assertTrue(
                errors(statement).contains("incompatible") || errors(statement).contains("cannot"),
                () -> statement + " has these errors: " + errors(statement));
    }

    /** Returns the errors that javac reports for a statement. */
    private static String errors(String statement) {
        String code = "package trial; import io.fibry.*; import java.util.*;"
                + " class Trial { void run(ActorSystem system) { " + statement + " } }";
        var source = new SimpleJavaFileObject(URI.create("string:///trial/Trial.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return code;
            }
        };
        var found = new DiagnosticCollector<JavaFileObject>();
        String classes = Stream.of(ActorSystem.class, org.jspecify.annotations.Nullable.class)
                .map(type -> Path.of(URI.create(type.getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toString()))
                        .toString())
                .collect(Collectors.joining(java.io.File.pathSeparator));
        var compiler = ToolProvider.getSystemJavaCompiler();
        assumeTrue(compiler != null, "this Java runtime has no compiler");
        compiler.getTask(
                        null,
                        null,
                        found,
                        List.of(
                                "-proc:none",
                                "-cp",
                                classes,
                                "-implicit:none",
                                "-Xdiags:verbose",
                                "-XDshould-stop.ifNoError=FLOW"),
                        null,
                        Set.of(source))
                .call();
        return found.getDiagnostics().stream().map(Object::toString).collect(Collectors.joining("\n"));
    }
}
