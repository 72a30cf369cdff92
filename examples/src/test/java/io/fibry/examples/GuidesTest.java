package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The code of the guides compiles without warnings, runs, and prints the documented output. */
@Timeout(60)
class GuidesTest {

    /** The width of the column of text on the site: a longer line of code has a scroll bar. */
    private static final int COLUMNS = 88;

    @TempDir
    Path classes;

    @AfterEach
    void closeTheDefaultSystem() {
        ActorSystem.defaultSystem().close();
    }

    static Stream<Markdown> guides() {
        return Markdown.guides();
    }

    static Stream<Markdown> allGuides() {
        return Stream.concat(guides(), Markdown.guidesOfOtherModules());
    }

    static List<Snippet> programs() throws Exception {
        var programs = new ArrayList<Snippet>();
        for (Markdown guide :
                Stream.concat(guides(), pagesWithPrograms()).distinct().toList()) {
            programs.addAll(guide.programs());
        }
        return programs;
    }

    /** Returns pages of other kinds, whose code runs like the code of the guides. */
    static Stream<Markdown> pagesWithPrograms() {
        return Stream.concat(comparisons(), Stream.of(Markdown.document("when-not")));
    }

    static Stream<Markdown> pages() {
        return Stream.concat(pagesWithPrograms(), Markdown.references());
    }

    static Stream<Markdown> comparisons() {
        return Markdown.comparisons();
    }

    @ParameterizedTest
    @MethodSource("programs")
    void javaBlocksRunAndPrintTheirComments(Snippet snippet) throws Exception {
        List<String> output = snippet.run(classes).lines().toList();
        if (!snippet.printsAsItSays().isEmpty()) {
            assertEquals(snippet.printsAsItSays(), output);
        }
    }

    @ParameterizedTest
    @MethodSource("guides")
    void guidesHavePrograms(Markdown guide) throws Exception {
        assertTrue(guide.programs().size() >= 2, "code");
    }

    @ParameterizedTest
    @MethodSource("allGuides")
    void guidesAreShortAndNameTheirLimits(Markdown guide) throws Exception {
        assertTrue(guide.text().contains("## When not to use it"), "limits");
        assertTrue(guide.proseWords() <= 1_400, "words: at most 1,400");
    }

    @ParameterizedTest
    @MethodSource("allGuides")
    void guidesAreLinkedFromTheReadmeAndTheirLinksLeadSomewhere(Markdown guide) throws Exception {
        List<Path> linked =
                Markdown.README.links().stream().map(Path::normalize).toList();
        assertTrue(linked.contains(guide.file().normalize()), linked.toString());
        for (Path link : guide.links()) {
            assertTrue(Files.exists(link), link.toString());
        }
    }

    @ParameterizedTest
    @MethodSource("comparisons")
    void comparisonsListDifferentAndMissingResults(Markdown page) throws Exception {
        for (String part : List.of("The same program", "Terms", "Differences", "Features without an equivalent")) {
            assertTrue(page.text().contains("## " + part + "\n"), part);
        }
        assertTrue(page.programs().getFirst().name().equals("Seat"), "the same program");
    }

    @ParameterizedTest
    @MethodSource("pages")
    void pagesAreShortAndTheirLinksLeadSomewhere(Markdown page) throws Exception {
        assertTrue(page.proseWords() <= 1_400, "words: at most 1,400");
        for (Path link : page.links()) {
            assertTrue(Files.exists(link), link.toString());
        }
    }

    static Stream<Markdown> documentsWithCode() throws Exception {
        Stream<Markdown> readmes =
                Stream.of(Markdown.README, new Markdown(Markdown.PROJECT.resolve("examples/README.md")));
        return Stream.concat(readmes, Markdown.documents().stream().map(Markdown::new));
    }

    @ParameterizedTest
    @MethodSource("documentsWithCode")
    void codeFitsTheColumnOfTheSite(Markdown document) throws Exception {
        assertEquals(List.of(), document.codeLongerThan(COLUMNS));
    }

    /** {@code start} and {@code open-port} have tests of their own; {@code design} describes the source. */
    @Test
    void eachDocumentIsChecked() throws Exception {
        List<Path> checked = Stream.of(
                        allGuides(),
                        pages(),
                        Stream.of("start", "open-port", "design").map(Markdown::document))
                .flatMap(documents -> documents)
                .map(document -> document.file().normalize())
                .toList();
        for (Path document : Markdown.documents()) {
            if (document.getParent().getFileName().toString().equals("docs")) {
                assertTrue(checked.contains(document.normalize()), document.toString());
            }
        }
    }

    @Test
    void allDocumentsAreInTheNavigationOfTheSite() throws Exception {
        String navigation = Files.readString(Markdown.PROJECT.resolve("site/zensical.toml"));
        for (Path document : Markdown.documents()) {
            Path page = Markdown.PROJECT.relativize(document);
            assertTrue(navigation.contains("\"" + page.toString().replace('\\', '/') + "\","), page.toString());
        }
    }
}
