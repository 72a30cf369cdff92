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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the guides show compiles without a warning, runs, and prints what they say. */
@Timeout(60)
class GuidesTest {

    @TempDir
    Path classes;

    @AfterEach
    void closeTheDefaultSystem() {
        ActorSystem.defaultSystem().close();
    }

    static Stream<Markdown> guides() {
        return Markdown.guides();
    }

    static List<Snippet> programs() throws Exception {
        var programs = new ArrayList<Snippet>();
        for (Markdown guide : guides().toList()) {
            programs.addAll(guide.programs());
        }
        return programs;
    }

    @ParameterizedTest
    @MethodSource("programs")
    void javaRunsAndPrintsWhatItSays(Snippet snippet) throws Exception {
        List<String> output = snippet.run(classes).lines().toList();
        if (!snippet.printsAsItSays().isEmpty()) {
            assertEquals(snippet.printsAsItSays(), output);
        }
    }

    @ParameterizedTest
    @MethodSource("guides")
    void guidesAreShortAndTellWhenNotToUseIt(Markdown guide) throws Exception {
        assertTrue(guide.programs().size() >= 2, "code");
        assertTrue(guide.text().contains("## When not to use it"), "limits");
        assertTrue(guide.text().lines().count() <= 180, "short");
    }

    @ParameterizedTest
    @MethodSource("guides")
    void guidesAreLinkedFromTheReadmeAndTheirLinksLeadSomewhere(Markdown guide) throws Exception {
        List<Path> linked =
                Markdown.README.links().stream().map(Path::normalize).toList();
        assertTrue(linked.contains(guide.file().normalize()), linked.toString());
        for (Path link : guide.links()) {
            assertTrue(Files.exists(link), link.toString());
        }
    }
}
