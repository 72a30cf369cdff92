package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Words that mark sentences which have to be read twice are rare in the documents and in the comments of the sources.
 * The limits are met by java.util.concurrent, Caffeine, Failsafe, Helidon, Jox and Pekko.
 */
class ProseTest {

    /** A word, and its limit per 1,000 words. */
    private record Rule(String name, String regex, double limit) {
        List<String> hits(String text) {
            return Pattern.compile(regex, Pattern.MULTILINE)
                    .matcher(text)
                    .results()
                    .map(hit -> context(text, hit))
                    .toList();
        }

        private static String context(String text, MatchResult hit) {
            return text.substring(Math.max(0, hit.start() - 50), Math.min(text.length(), hit.end() + 60))
                    .replaceAll("\\s+", " ");
        }
    }

    private static final List<Rule> RULES = List.of(
            new Rule("what", "\\b[Ww]hat\\b(?! (?:is|are) (?:new|next))", 0.5),
            new Rule("those", "\\b[Tt]hose\\b", 0.5),
            new Rule("nobody", "\\b(?:[Nn]obody|[Ss]omebody|[Ww]hoever)\\b", 0.1),
            new Rule("So at the start", "(?:(?<=[.:] )|^)So\\b(?! that)", 0.3),
            new Rule(
                    "tell, for anything but a message",
                    "\\b(?:tells?|told|telling)"
                            + " (?:whether|how|what|who|whom|where|why|when|that|you|us|apart|of|about)\\b",
                    0.2),
            new Rule("beside", "\\b[Bb]eside\\b", 0.3),
            new Rule("anew", "\\b(?:anew|in vain|for ever)\\b", 0.1),
            new Rule("at work", "\\b(?:at work|in work)\\b", 0.1));

    private static final Pattern COMMENT = Pattern.compile("/\\*[\\s\\S]*?\\*/|//[^\n]*");
    private static final String NOT_PROSE_IN_COMMENTS = "<pre>[\\s\\S]*?</pre>|\\{@snippet[\\s\\S]*?\n"
            + "\\s*\\*?\\s*\\}|\\{@(?:code|link|linkplain)\\s[^}]*\\}|<[^>]+>|@\\w+|[/*{}]";
    private static final String NOT_PROSE_IN_MARKDOWN = "```[\\s\\S]*?```|`[^`\n]*`|\\]\\([^)]*\\)|<[^>]+>";
    private static final String STRING = "\"\"\"[\\s\\S]*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"";

    private static String ofMarkdown(String text) {
        return text.replaceAll(NOT_PROSE_IN_MARKDOWN, " ");
    }

    private static String ofComments(String source) {
        var prose = new StringBuilder();
        COMMENT.matcher(source.replaceAll(STRING, " "))
                .results()
                .forEach(comment -> prose.append(comment.group().replaceAll(NOT_PROSE_IN_COMMENTS, " "))
                        .append('\n'));
        return prose.toString();
    }

    private static String prose(Path file) {
        try {
            String text = Files.readString(file);
            return file.toString().endsWith(".md") ? ofMarkdown(text) : ofComments(text);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void check(Stream<Path> files) {
        String text = String.join("\n", files.map(ProseTest::prose).toList());
        long words = Pattern.compile("[A-Za-z']{2,}").matcher(text).results().count();
        assertTrue(words > 200, "finds the files");
        List<String> broken = new ArrayList<>();
        for (Rule rule : RULES) {
            List<String> hits = rule.hits(text);
            if (1_000.0 * hits.size() / words > rule.limit) {
                broken.add(rule.name + ": " + String.join("\n  ", hits));
            }
        }
        assertEquals(List.of(), broken);
    }

    @Test
    void documents() throws Exception {
        check(Stream.concat(
                Markdown.documents().stream(),
                Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md").map(Markdown.PROJECT::resolve)));
    }

    @ParameterizedTest
    @CsvSource({
        "fibry-core, main",
        "fibry-core, test",
        "extensions, main",
        "extensions, test",
        "examples, main",
        "examples, test",
        "fibry-bench, main",
        "fibry-bench, test"
    })
    void commentsInTheSources(String module, String sources) throws Exception {
        try (Stream<Path> files = Files.walk(Markdown.PROJECT.resolve(module))) {
            check(files.filter(file -> file.toString().replace('\\', '/').contains("/src/" + sources + "/"))
                    .filter(file ->
                            file.toString().endsWith(".java") || file.toString().endsWith(".kt")));
        }
    }

    @Test
    void eachRuleFindsItsWord() {
        for (String text : List.of(
                "Says what it does.",
                "Those that wait.",
                "Nobody waits.",
                "It ends. So it stops.",
                "It tells whether it ends.",
                "One beside it.",
                "It starts anew.",
                "The actor is at work.")) {
            assertEquals(
                    1, RULES.stream().filter(rule -> !rule.hits(text).isEmpty()).count(), text);
        }
    }

    @Test
    void stringsCodeAndTagsAreNoProse() {
        String source = "String what = \"// those\"; // Waits {@code what}";
        assertEquals("Waits", ofComments(source).strip());
        assertEquals("Waits", ofMarkdown("Waits `what`\n```\nthose\n```").strip());
    }
}
