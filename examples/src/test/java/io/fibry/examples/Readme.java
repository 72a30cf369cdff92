package io.fibry.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The README of this project. */
final class Readme {

    static final Path PROJECT = Path.of(System.getProperty("basedir", ".")).resolve("..");

    private static final Pattern PROGRAM = Pattern.compile("public class (\\w+)");

    private Readme() {}

    static String text() throws IOException {
        return Files.readString(PROJECT.resolve("README.md"));
    }

    /** What is between the fences of a language. */
    static List<String> blocks(String language) throws IOException {
        return Pattern.compile("^```" + language + "\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE)
                .matcher(text())
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    /** A block as a class: as it stands, or, if it is only statements, as the main method of one. */
    record Source(String name, String code) {

        static Source of(String block, int number) {
            return PROGRAM.matcher(block)
                    .results()
                    .findFirst()
                    .map((MatchResult program) -> new Source(program.group(1), block))
                    .orElseGet(() -> statements("Snippet" + number, block));
        }

        private static Source statements(String name, String block) {
            return new Source(name, """
                import io.fibry.*;
                import io.fibry.net.*;
                import io.fibry.stereotypes.*;
                import java.nio.charset.*;
                import java.time.*;
                import java.util.*;
                import java.util.concurrent.*;
                public class %s {
                    public static void main(String[] args) throws Exception {
                        %s
                    }
                }
                """.formatted(name, block));
        }
    }
}
