package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The document about open ports describes exactly the other HTTP servers of the tests. */
class OpenPortTest {

    private static final Markdown GUIDE = Markdown.document("open-port");

    @ParameterizedTest
    @CsvSource({"jetty-http-spi, jetty.version", "httpserver, robaho-httpserver.version"})
    void theVersionsMatchTheTests(String artifact, String property) throws Exception {
        String build = Files.readString(Markdown.PROJECT.resolve("pom.xml"));
        var version = Pattern.compile("<" + property + ">(.*)</").matcher(build);
        assertTrue(version.find(), property);
        List<String> named = GUIDE.blocks("xml").stream()
                .filter(block -> block.contains("<artifactId>" + artifact + "</artifactId>"))
                .map(block -> block.replaceFirst("(?s).*<version>(.*)</version>.*", "$1"))
                .map(String::strip)
                .toList();
        assertEquals(List.of(version.group(1)), named);
        assertTrue(GUIDE.text().contains("`" + artifact + "` " + version.group(1)), "the head of the table");
    }

    @Test
    void theProfilesAreThere() throws Exception {
        String build = Files.readString(Markdown.PROJECT.resolve("fibry-core/pom.xml"));
        for (String command : GUIDE.blocks("sh")) {
            var profiles =
                    Pattern.compile("-P([\\w-]+)").matcher(command).results().toList();
            assertEquals(2, profiles.size());
            profiles.forEach(profile -> assertTrue(build.contains("<id>" + profile.group(1) + "</id>"), command));
        }
    }

    @Test
    void linksLeadSomewhere() throws Exception {
        for (Path link : GUIDE.links()) {
            assertTrue(Files.exists(link), link.toString());
        }
    }
}
