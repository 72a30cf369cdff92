package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Published figures name the commit of their run, which is that of the report, and no more than 50 commits old. */
class FiguresTest {

    /** The maximum number of later commits to the sources of the library. */
    private static final int MAX_AGE = 50;

    private static final Markdown FIGURES = Markdown.document("figures");
    private static final Pattern COMMIT = Pattern.compile("commit\\s`([0-9a-f]{8})`");
    private static final Pattern REPORT = Pattern.compile("fibry-bench/results/(\\w+)/report\\.md");
    private static final Pattern COMMIT_OF_REPORT = Pattern.compile("\\| commit \\| ([0-9a-f]{8})");

    @Test
    void theCommitIsThatOfTheReport() throws IOException {
        var checked = new ArrayList<String>();
        for (String paragraph : FIGURES.text().split("\n\n", -1)) {
            List<String> commits = find(COMMIT, paragraph);
            List<String> reports = find(REPORT, paragraph);
            if (!commits.isEmpty() && !reports.isEmpty()) {
                assertEquals(commits, find(COMMIT_OF_REPORT, report(reports.getFirst())), paragraph);
                checked.addAll(reports);
            }
        }
        assertTrue(checked.containsAll(List.of("full", "savina", "shapes", "durable")), checked.toString());
    }

    @Test
    void noRunIsOld() throws Exception {
        Set<String> commits = new TreeSet<>(find(COMMIT, FIGURES.text()));
        commits.addAll(find(COMMIT, Markdown.README.text()));
        assertFalse(commits.isEmpty());
        for (String commit : commits) {
            assumeTrue(git("cat-file", "-e", commit + "^{commit}") != null, "this is no clone with its history");
            String later = git("rev-list", "--count", commit + "..HEAD", "--", "fibry-core/src/main");
            assertTrue(
                    later != null && Integer.parseInt(later.strip()) <= MAX_AGE,
                    () -> "the figures of commit " + commit + " are " + later + " commits old: measure them again");
        }
    }

    private static List<String> find(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    private static String report(String name) throws IOException {
        return new Markdown(Markdown.PROJECT.resolve("fibry-bench/results/" + name + "/report.md")).text();
    }

    /** Returns the output of a command of git, or null if it fails. */
    private static String git(String... arguments) throws Exception {
        var command = new ArrayList<>(List.of("git"));
        command.addAll(Arrays.asList(arguments));
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .directory(Markdown.PROJECT.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            return null; // git is not installed
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? output : null;
    }
}
