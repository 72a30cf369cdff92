package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each command line of the documents is executed, or is a command of Maven or a script whose parts exist, or is listed
 * in this class with a reason.
 *
 * <p>Seen to fail: an event and an option that do not exist, a module, a profile, a property, a program and a test that
 * do not exist, a new command, and an exception that no document has.
 */
@Timeout(300)
class CommandsTest {

    /** The commands that are not executed, with the reasons. */
    private static final Map<String, String> EXCEPTIONS = Map.of(
            "native-image -cp app.jar:fibry-core.jar:slf4j-api.jar com.example.Main",
            "needs GraalVM; NativeImageTest compiles an example if it is installed",
            "mvn -q compile org.codehaus.mojo:exec-maven-plugin:3.6.4:java -Dexec.mainClass=Counter",
            "in the reader's project; StartTest runs its program, and checks the version of the plugin",
            "java -jar examples/spring-boot/target/orders-1.0.0-SNAPSHOT.jar",
            "build/consumers/run builds the example, which is no module of this build",
            "curl -i localhost:8080/orders --json '{\"item\":\"pen\",\"pieces\":3}'",
            "OrdersTest of the example sends this request",
            "curl localhost:8080/actuator/health",
            "OrdersTest of the example sends this request",
            "curl 'localhost:8080/actuator/metrics/fibry.actor.messages.waiting?tag=actor:shipping'",
            "OrdersTest of the example reads the meters of an actor",
            "cd fibry-bench && git show HEAD:fibry-bench/results/full/jmh.json > target/before.json && cd ..",
            "needs the history of the project; theFilesOfExceptionsExist checks the path",
            "python3 -m http.server -b localhost -d target/site",
            "runs until it is stopped; SiteTest serves the same folder");

    private static final Pattern OPTIONS = Pattern.compile("`(-D[^`]+)`");
    private static final Pattern PROPERTY = Pattern.compile("-D([\\w.-]+)");
    private static final String RECORD = "java '-XX:StartFlightRecording=filename=x.jfr,%s' -jar shop.jar";
    private static final Set<String> JDK = Set.of("java", "jcmd", "jfr", "jar");

    static List<Command> commands() throws Exception {
        return Command.all().stream()
                .filter(command -> !EXCEPTIONS.containsKey(command.text()))
                .distinct()
                .toList();
    }

    static List<Command> mavenCommands() throws Exception {
        return commands().stream()
                .filter(command -> command.program().equals("mvn"))
                .toList();
    }

    static List<Command> commandsOfPrograms() throws Exception {
        return Command.ofPrograms();
    }

    static List<Command> scripts() throws Exception {
        return commands().stream()
                .filter(command -> command.program().contains("/"))
                .toList();
    }

    /** The documents with commands for the tools of the JDK. */
    static Set<Path> documents() throws Exception {
        return commands().stream()
                .filter(command -> JDK.contains(command.program()))
                .map(Command::document)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void eachCommandIsCheckedOrListed() throws Exception {
        List<Command> unknown = commands().stream()
                .filter(command -> !JDK.contains(command.program()))
                .filter(command -> !command.program().equals("mvn"))
                .filter(command -> !command.program().contains("/"))
                .toList();
        assertEquals(List.of(), unknown);
    }

    @Test
    void eachExceptionIsInADocument() throws Exception {
        Set<String> all = Command.all().stream().map(Command::text).collect(Collectors.toSet());
        assertEquals(
                List.of(),
                EXCEPTIONS.keySet().stream().filter(text -> !all.contains(text)).toList());
    }

    @Test
    void theFilesOfExceptionsExist() {
        for (String file :
                List.of("fibry-bench/results/full/jmh.json", "examples/spring-boot/pom.xml", "build/consumers/run")) {
            assertTrue(Files.exists(Markdown.PROJECT.resolve(file)), file);
        }
    }

    @ParameterizedTest
    @MethodSource({"mavenCommands", "commandsOfPrograms"})
    void mavenFindsItsParts(Command command) throws Exception {
        assertEquals(List.of(), MavenCommand.faultsOf(command));
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void aScriptExists(Command command) {
        Path script = Markdown.PROJECT.resolve(command.program());
        assertTrue(Files.isRegularFile(script) && Files.isExecutable(script), script.toString());
    }

    @ParameterizedTest
    @MethodSource("documents")
    void theToolsOfTheJdkExecuteIt(Path document, @TempDir Path folder) throws Exception {
        try (var shop = new JdkCommands(folder)) {
            for (Command command : commands()) {
                if (command.document().equals(document) && JDK.contains(command.program())) {
                    shop.execute(command);
                }
            }
        }
    }

    static Stream<String> faultySettings() {
        return Stream.of(
                "fibry.ActorEnd#enabled=false", // without a plus
                "+fibry.ActorEnds#enabled=false",
                "+fibry.ActorEnd#enable=false",
                "settings=fibry.jfc,fibry.NoEvent#enabled=false",
                "+fibry.MailboxOverflow#threshold=1ms", // does not occur in this program
                "settings=no-such-file.jfc");
    }

    @ParameterizedTest
    @MethodSource("faultySettings")
    void aFaultOfASettingIsFound(String setting, @TempDir Path folder) throws Exception {
        try (var shop = new JdkCommands(folder)) {
            shop.execute(new Command(Markdown.README.file(), "jar xf fibry-core.jar fibry.jfc"));
            var command = new Command(Markdown.README.file(), RECORD.formatted(setting));
            assertThrows(AssertionError.class, () -> shop.execute(command));
        }
    }

    /** The event that the guide disables is recorded otherwise. */
    @Test
    void aSettingIsExecuted(@TempDir Path folder) throws Exception {
        try (var shop = new JdkCommands(folder)) {
            shop.execute(new Command(Markdown.README.file(), RECORD.formatted("+fibry.ActorEnd#enabled=true")));
        }
    }

    /** Checks options that documents mention outside commands: each property is read by the code or by the JDK. */
    @Test
    void propertiesExist() throws Exception {
        var readers = new StringBuilder();
        for (Path file : Command.files("(?!.*/target/)(.*pom\\.xml|fibry-core/src/.*\\.java)")) {
            readers.append(Files.readString(file));
        }
        var unread = new ArrayList<String>();
        for (Path document : Command.documents()) {
            OPTIONS.matcher(Files.readString(document))
                    .results()
                    .flatMap(options -> PROPERTY.matcher(options.group(1)).results())
                    .map(name -> name.group(1))
                    .filter(name -> !name.startsWith("jdk.") && !name.startsWith("sun.net."))
                    .filter(name -> readers.indexOf(name) < 0)
                    .forEach(name -> unread.add(document + ": " + name));
        }
        assertEquals(List.of(), unread);
    }

    static Stream<String> faultyCommands() {
        return Stream.of(
                "mvn",
                "mvn verifi",
                "mvn verify -Dno.such.property",
                "mvn verify --no-such-option",
                "mvn -pl no-such-module verify",
                "mvn -f examples/no-such-folder/pom.xml verify",
                "mvn -Pno-such-profile -pl fibry-core verify",
                "mvn -pl fibry-core test -Dtest=NoSuchTest",
                "mvn -pl examples -am test -Dtest=SiteTest",
                "mvn -pl fibry-core compile exec:exec",
                "mvn -pl examples -am compile exec:exec -Dexample=NoSuchExample",
                "mvn -pl fibry-bench -am compile exec:exec -Dbench=NoSuchProgram",
                "mvn -pl fibry-bench -am compile exec:exec -Dbench=report.Report -Dargs=\"fast\"",
                "mvn -pl fibry-bench -am compile exec:exec -Dbench=report.Report -Dargs=\"quick --no-such-option\"",
                "mvn -pl fibry-bench -am compile exec:exec -Dbench=report.Report -Dargs=\"quick --only"
                        + " NoSuchBenchmark\"",
                "mvn -pl fibry-bench -am compile exec:exec -Dargs=\"TellBenchmark.noSuchMethod\"",
                "mvn -pl fibry-bench -am compile exec:exec -Dargs=\"TellBenchmark -p\"");
    }

    @ParameterizedTest
    @MethodSource("faultyCommands")
    void aFaultOfAMavenCommandIsFound(String text) throws Exception {
        var faults = MavenCommand.faultsOf(new Command(Markdown.README.file(), text));
        assertEquals(1, faults.size(), faults.toString());
    }

    @Test
    void commandsAreFound() {
        String text = """
            Run `mvn verify`, or `site/build`; `java.lang`, `mvn` and `kill -9` are none.

            ```sh
            jcmd 1 help   # a comment
            # a comment
            echo "a # b" \\
                c
            java "-Da=1,\\
            b=2" X
            ```

            ```
            $ not a command
            jfr summary x.jfr
            ```

            ```java
            mvn verify
            ```
            """;
        List<String> found =
                Command.of(Path.of("x.md"), text).stream().map(Command::text).toList();
        assertEquals(
                List.of(
                        "mvn verify",
                        "site/build",
                        "jcmd 1 help",
                        "echo \"a # b\"     c",
                        "java \"-Da=1,b=2\" X",
                        "jfr summary x.jfr"),
                found);
    }
}
