package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/**
 * The library on the module path, as a user's module sees it.
 *
 * <p>Seen to fail: with {@code requires transitive} for jdk.httpserver, with {@code requires static transitive} for it
 * and for JSpecify, and without jdk.jfr if {@code Flight} does not expect its absence.
 */
@Timeout(120)
class ModulesTest {

    private static final String SERVE_HTTP = """
        var server = Stereotypes.fibers().in(system).embeddedHttpServer(0, exchange -> "hello");
        var url = URI.create("http://localhost:" + server.port() + "/").toURL();
        try (var in = url.openStream()) {
            System.out.println(new String(in.readAllBytes()));
        }
        """;

    @TempDir
    private Path folder;

    @BeforeAll
    static void needsACompiler() {
        assumeTrue(ToolProvider.getSystemJavaCompiler() != null, "this Java runtime has no compiler");
    }

    @Test
    void actorsAndTcpServersDoNotRequireTheHttpServerModule() throws Exception {
        String code = """
            var square = system.actor().newActorWithReturn((Integer n) -> n * n);
            System.out.println(square.ask(7).join());
            var stereotypes = Stereotypes.fibers().in(system);
            var seen = new CompletableFuture<String>();
            stereotypes.sink("state").execute(state -> seen.complete(state));
            System.out.println(seen.join());
            var server = stereotypes.tcpAcceptor(0, socket -> socket.getOutputStream().write('x'));
            try (var client = new Socket("localhost", server.port())) {
                System.out.println((char) client.getInputStream().read());
            }
            try (var observed = ActorSystem.create(SystemOptions.defaults().name("shop").jmx(true))) { // no JMX here
                System.out.println(observed.dump().system());
            }
            """;
        assertEquals(List.of("49", "state", "x", "shop", "false"), run("requires io.fibry;", code));
    }

    @Test
    void aModuleThatRequiresTheHttpServerCanUseIt() throws Exception {
        assertEquals(List.of("hello", "true"), run("requires io.fibry; requires jdk.httpserver;", SERVE_HTTP));
    }

    @Test
    void withoutTheRequiredModuleTheCompilerReportsAnError() {
        var e = assertThrows(AssertionError.class, () -> run("requires io.fibry;", SERVE_HTTP));
        assertTrue(e.getMessage().contains("does not read it"), e.getMessage());
    }

    /** The other tests run without the module jdk.jfr. */
    @Test
    void flightRecorderFindsTheEventsOfTheModule() throws Exception {
        String code = """
            try (var recording = new jdk.jfr.Recording()) {
                recording.enable("fibry.MessageRun").withThreshold(java.time.Duration.ZERO);
                recording.start();
                system.actor("square").newActorWithReturn((Integer n) -> n * n).call(7);
                system.close();
                var file = java.nio.file.Files.createTempFile("flight", ".jfr");
                recording.dump(file);
                var event = jdk.jfr.consumer.RecordingFile.readAllEvents(file).getFirst();
                java.nio.file.Files.delete(file);
                System.out.println(event.getString("actor"));
            }
            """;
        assertEquals(List.of("square", "false"), run("requires io.fibry; requires jdk.jfr;", code));
    }

    /** Returns the output of a module with this main method; only the modules that it requires are present. */
    private List<String> run(String requires, String code) throws Exception {
        Path descriptor = Files.writeString(folder.resolve("module-info.java"), "module consumer { " + requires + " }");
        Path main = Files.writeString(folder.resolve("Main.java"), program(code));
        String library = placeOf(Actor.class) + File.pathSeparator + placeOf(Logger.class);
        String limit = code.equals(SERVE_HTTP) ? "io.fibry,jdk.httpserver" : "io.fibry";
        limit += requires.contains("jdk.jfr") ? ",jdk.jfr" : "";
        Path classes = folder.resolve("classes");
        compile(
                List.of("-d", classes.toString(), "--module-path", library, "--limit-modules", limit),
                descriptor,
                main);
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--module-path", classes + File.pathSeparator + library, "--limit-modules", limit));
        command.addAll(List.of("--module", "consumer/consumer.Main"));
        Path log = folder.resolve("log");
        Process process =
                new ProcessBuilder(command).redirectError(log.toFile()).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, process.exitValue(), Files.readString(log));
        return printed.lines().toList();
    }

    private static String program(String code) {
        return """
            package consumer;
            import io.fibry.*;
            import io.fibry.stereotypes.*;
            import java.net.*;
            import java.util.concurrent.*;
            public class Main {
                public static void main(String[] args) throws Exception {
                    try (var system = ActorSystem.create()) {
                        %s
                    }
                    System.out.println(ModuleLayer.boot().findModule("jdk.httpserver").isPresent());
                }
            }
            """.formatted(code);
    }

    private static Path placeOf(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static void compile(List<String> options, Path... sources) throws Exception {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var messages = new StringWriter();
        try (var files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            boolean compiled = compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(sources))
                    .call();
            assertTrue(compiled, messages::toString);
        }
    }
}
