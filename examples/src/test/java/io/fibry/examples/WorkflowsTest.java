package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The workflows of the project: actions are pinned, permissions are minimal, and the parts of Maven commands exist.
 *
 * <p>Seen to fail: an action with a tag, a hash without its version, a workflow without permissions, a test and a
 * profile that do not exist, and a long test that the workflow {@code nightly} does not run.
 */
class WorkflowsTest {

    private static final Path FOLDER = Markdown.PROJECT.resolve(".github").resolve("workflows");
    private static final Pattern ACTION = Pattern.compile("(?m)^ *(?:- )?uses: (.*)$");
    private static final Pattern MAVEN = Pattern.compile("(?m)^ *(?:- )?(?:run: )?(mvn .*)$");
    private static final Pattern TESTS = Pattern.compile("-Dtest=\"([^\"]*)\"");

    static List<Path> workflows() throws IOException {
        return Command.files("\\.github/workflows/.*\\.ya?ml");
    }

    static List<Command> commands() throws IOException {
        var commands = new ArrayList<Command>();
        for (Path workflow : workflows()) {
            String text = Files.readString(workflow)
                    .replace("\\\n", " ")
                    .replaceAll("(?<=\\s)\\$\\{\\{[^}]*}}(?=\\s)", "") // an optional argument
                    .replaceAll("\\$\\{\\{[^}]*}}", "x");
            MAVEN.matcher(text).results().forEach(found -> commands.add(new Command(workflow, found.group(1))));
        }
        return commands;
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void actionsArePinnedByTheirCommit(Path workflow) throws Exception {
        List<String> actions = ACTION.matcher(Files.readString(workflow))
                .results()
                .map(found -> found.group(1))
                .toList();
        assertFalse(actions.isEmpty());
        for (String action : actions) {
            assertTrue(action.matches("[\\w./-]+@[0-9a-f]{40} # v\\d+\\.\\d+\\.\\d+"), action);
        }
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void aWorkflowMayOnlyRead(Path workflow) throws Exception {
        assertTrue(Files.readString(workflow).contains("\n\npermissions:\n  contents: read\n\n"));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void mavenFindsItsParts(Command command) throws Exception {
        assertEquals(List.of(), MavenCommand.faultsOf(command));
    }

    /** The single-carrier pass of {@code .ci/run} leaves these tests out. */
    @Test
    void theLongTestsRunEachNight() throws Exception {
        String nightly = Files.readString(FOLDER.resolve("nightly.yml"));
        List<Pattern> run = TESTS.matcher(nightly)
                .results()
                .flatMap(tests -> Pattern.compile(",").splitAsStream(tests.group(1)))
                .map(test -> Pattern.compile("(.*/)?" + test.replace(".", "/").replace("*", "[^/]*") + "\\.java"))
                .toList();
        for (String test : Files.readAllLines(Markdown.PROJECT.resolve(".ci").resolve("long-tests"))) {
            List<Path> files =
                    Command.files(test.replace("**/", ".*/src/test/java/.*/").replace(".java", "\\.java"));
            assertEquals(1, files.size(), test);
            String file = files.getFirst().toString().replace('\\', '/');
            assertTrue(run.stream().anyMatch(tests -> tests.matcher(file).matches()), test);
        }
    }
}
