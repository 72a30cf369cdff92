package io.fibry.tool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.SystemOptions;
import io.fibry.testing.Program;
import io.fibry.testing.ServerProcess;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command of the jar, in a JVM of its own, reads another JVM. */
@Timeout(120)
class DumpCommandTest {

    private static final List<String> JMX = List.of("-Dio.fibry.jmx=true");

    /** A program with a system for each argument. It prints a number when they exist, and ends with its input. */
    static final class Systems {
        public static void main(String[] names) throws Exception {
            List<ActorSystem> systems = List.of(names).stream()
                    .map(name -> ActorSystem.create(SystemOptions.defaults().name(name)))
                    .toList();
            systems.forEach(system -> system.actor("clerk of " + system.name()).newSink(null));
            System.out.println(systems.size());
            System.in.readAllBytes(); // until the input ends
            System.exit(0);
        }
    }

    @Test
    void itPrintsTheDump() throws Exception {
        try (var process = ServerProcess.startWith(JMX, Systems.class, "caf\u00e9");
                var command = Program.start(DumpCommand.class, "dump", Long.toString(process.pid()))) {
            assertEquals(0, command.awaitEnd(), command.log());
            List<String> lines = command.lines();
            assertTrue(lines.getFirst().startsWith("system caf\u00e9 at "), lines::toString);
            assertTrue(lines.get(1).startsWith("1 actors: 1 idle"), lines::toString);
            assertFalse(lines.getLast().isEmpty(), lines::toString);
            assertEquals("", command.log());
        }
    }

    @Test
    void itPrintsALineOfJsonForEachSystem() throws Exception {
        try (var process = ServerProcess.startWith(JMX, Systems.class, "shop", "bank");
                var command = Program.start(DumpCommand.class, "dump", "--json", Long.toString(process.pid()))) {
            assertEquals(0, command.awaitEnd(), command.log());
            List<String> lines = command.lines();
            assertEquals(2, lines.size(), lines::toString);
            assertTrue(lines.get(0).startsWith("{\"system\":\"bank\""), lines::toString);
            assertTrue(
                    lines.get(1).startsWith("{\"system\":\"shop\"")
                            && lines.get(1).endsWith("}"),
                    lines::toString);
        }
    }

    /** The first command has started the management agent. */
    @Test
    void itCanBeRepeated() throws Exception {
        try (var process = ServerProcess.startWith(JMX, Systems.class, "shop")) {
            for (int i = 0; i < 2; i++) {
                try (var command = Program.start(DumpCommand.class, "dump", Long.toString(process.pid()))) {
                    assertEquals(0, command.awaitEnd(), command.log());
                }
            }
        }
    }

    @Test
    void aProcessWithoutARegisteredSystem() throws Exception {
        try (var process = ServerProcess.start(Systems.class, "shop");
                var command = Program.start(DumpCommand.class, "dump", Long.toString(process.pid()))) {
            fails(command, ExitStatus.SYSTEM, "SystemOptions.jmx(true)");
        }
    }

    @Test
    void aProcessThatHasEnded() throws Exception {
        Process process = new ProcessBuilder("true").start();
        process.waitFor();
        assertTrue(fails(ExitStatus.PROCESS, "dump", Long.toString(process.pid()))
                .contains("there is no process " + process.pid()));
    }

    @Test
    void aProcessWithoutAJvm() throws Exception {
        Process process = new ProcessBuilder("cat").start();
        try {
            assertTrue(fails(ExitStatus.PROCESS, "dump", Long.toString(process.pid()))
                    .contains("it has to be a Java process"));
            assertTrue(process.isAlive());
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void theProcessOfTheCommand() {
        String self = Long.toString(ProcessHandle.current().pid());
        assertTrue(fails(ExitStatus.PROCESS, "dump", self).contains("is this command"));
    }

    @Test
    void aProcessOfAnotherUser() {
        var e = RemoteSystems.refused(7, Optional.of("shop"), Optional.of("guest"), "Operation not permitted");
        assertEquals(ExitStatus.USER, e.status());
        assertEquals(
                "process 7 belongs to the user shop, and this command to guest; run the command as shop"
                        + " (Operation not permitted)",
                e.getMessage());
        for (Optional<String> owner : List.of(Optional.of("guest"), Optional.<String>empty())) {
            assertEquals(
                    ExitStatus.PROCESS,
                    RemoteSystems.refused(7, owner, Optional.of("guest"), "timeout")
                            .status());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"java.base", "java.base,java.management", "java.base,java.management,jdk.attach"})
    void aRuntimeThatLacksModules(String modules) throws Exception {
        try (var process = ServerProcess.startWith(JMX, Systems.class, "shop");
                var command = Program.startWith(
                        List.of("--limit-modules", modules), DumpCommand.class, "dump", Long.toString(process.pid()))) {
            fails(command, ExitStatus.MODULE, "run the command with the java of a JDK");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "dmup 1", "dump", "dump 1 2", "dump x", "dump 0", "dump -1", "dump --xml 1", "--json 1"})
    void wrongArguments(String arguments) {
        String error = fails(ExitStatus.ARGUMENTS, arguments.isEmpty() ? new String[0] : arguments.split(" "));
        assertTrue(error.startsWith("fibry: ") && error.contains("usage: java -jar fibry-core.jar dump"), error);
    }

    @Test
    void theUsage() {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        assertEquals(
                ExitStatus.SUCCESS, DumpCommand.run(List.of("--help"), new PrintStream(out), new PrintStream(err)));
        assertTrue(out.toString(UTF_8).startsWith("usage: "), out::toString);
        assertEquals(0, err.size());
    }

    private static void fails(Program command, ExitStatus status, String message) throws Exception {
        assertEquals(status.code(), command.awaitEnd(), command.log());
        assertTrue(command.log().contains(message), command.log());
        assertEquals(1, command.log().lines().count(), command.log());
        assertEquals(List.of(), command.lines());
    }

    /** Runs the command in this JVM, and returns its messages. */
    private static String fails(ExitStatus status, String... arguments) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        assertEquals(status, DumpCommand.run(List.of(arguments), new PrintStream(out), new PrintStream(err)));
        assertEquals(0, out.size());
        return err.toString(UTF_8);
    }
}
