package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Code of a document as a class. A program is used unchanged, except that its imports may be omitted; statements or
 * test methods are wrapped in a class with a main method.
 */
record Snippet(String name, String code) {

    private static final Pattern PROGRAM = Pattern.compile("public class (\\w+)");
    private static final Pattern PRINTS = Pattern.compile("// (?:prints|fails with) (.*)");

    /** A port in documents, which is replaced by a free one. */
    private static final String PORT = "7001";

    private static final String STATEMENTS = """
        public class %s {
            public static void main(String[] args) throws Exception {
                %s
            }
        }
        """;
    private static final String TESTS = """
        public class %1$s {
            %2$s
            public static void main(String[] args) throws Exception {
                io.fibry.examples.TestMethods.run(new %1$s());
            }
        }
        """;

    private static final String IMPORTS = """
        import io.fibry.*;
        import io.fibry.SupervisorSpec.Restart;
        import io.fibry.helidon.*;
        import io.fibry.http.*;
        import io.fibry.net.*;
        import io.fibry.pool.*;
        import io.fibry.batch.*;
        import io.fibry.cluster.*;
        import io.fibry.codec.*;
        import io.fibry.context.*;
        import io.fibry.durable.*;
        import io.fibry.entity.*;
        import io.fibry.flow.*;
        import io.fibry.generator.*;
        import io.fibry.mapreduce.*;
        import io.fibry.micrometer.*;
        import io.fibry.observer.*;
        import io.fibry.schedule.*;
        import io.fibry.state.*;
        import io.fibry.stereotypes.*;
        import io.fibry.test.*;
        import io.fibry.topic.*;
        import io.micrometer.observation.*;
        import io.micrometer.prometheusmetrics.*;
        import java.io.*;
        import java.net.*;
        import java.net.http.*;
        import java.nio.charset.*;
        import java.time.*;
        import java.util.*;
        import java.util.concurrent.*;
        import java.util.stream.*;
        import static org.junit.jupiter.api.Assertions.*;
        """;

    static Snippet of(String text, String name) {
        String block = text.contains(PORT) ? text.replace(PORT, Integer.toString(freePort())) : text;
        Matcher program = PROGRAM.matcher(block);
        if (program.find()) {
            return new Snippet(program.group(1), block.contains("import ") ? block : IMPORTS + block);
        }
        String body = block.contains("@ActorTest") ? TESTS : STATEMENTS;
        return new Snippet(name, IMPORTS + body.formatted(name, block));
    }

    static int freePort() {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the documented output, line by line. */
    List<String> printsAsItSays() {
        return PRINTS.matcher(code).results().map(match -> match.group(1)).toList();
    }

    /** Compiles the code without warnings, runs it, and returns its output. */
    String run(Path classes) throws Exception {
        compile(classes);
        try (var loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
            var main = loader.loadClass(name).getMethod("main", String[].class);
            return Output.of(() -> main.invoke(null, (Object) new String[0]));
        }
    }

    /** Compiles the code without warnings, together with the existing classes. */
    void compile(Path classes) {
        var file = new SimpleJavaFileObject(URI.create(name + ".java"), SimpleJavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return code;
            }
        };
        String path = classes + File.pathSeparator + System.getProperty("java.class.path");
        List<String> options =
                List.of("-Xlint:all,-processing", "-Werror", "-proc:none", "-cp", path, "-d", classes.toString());
        var messages = new StringWriter();
        boolean compiled = ToolProvider.getSystemJavaCompiler()
                .getTask(messages, null, null, options, null, List.of(file))
                .call();
        assertTrue(compiled, () -> messages + code);
    }

    @Override
    public String toString() {
        return name;
    }
}
