package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The documentation of each exported package has its stability, and the version that introduced it. */
class StabilityTest {

    private static final Pattern EXPORTS = Pattern.compile("exports ([\\w.]+);");
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
    private static final String SOURCES = "(fibry-core|extensions/[\\w-]+)/src/main/java/.*";

    /** Modules without a descriptor, whose users need their packages. */
    private static final List<String> AUTOMATIC =
            List.of("io.fibry.context", "io.fibry.micrometer", "io.fibry.spring", "io.fibry.spring.test");

    /** Documented by Dokka, from the sources in Kotlin. */
    private static final String KOTLIN = "io.fibry.kotlin";

    static Stream<String> packages() throws Exception {
        var packages = new ArrayList<>(AUTOMATIC);
        for (Path descriptor : Command.files(SOURCES + "module-info\\.java")) {
            EXPORTS.matcher(Files.readString(descriptor)).results().forEach(export -> packages.add(export.group(1)));
        }
        packages.remove(KOTLIN);
        return packages.stream();
    }

    @ParameterizedTest
    @MethodSource("packages")
    void eachPackageIsMarked(String name) throws Exception {
        for (Path file : Command.files(SOURCES + "package-info\\.java")) {
            String text = Files.readString(file);
            if (PACKAGE.matcher(text)
                    .results()
                    .anyMatch(declared -> declared.group(1).equals(name))) {
                assertTrue(text.matches("(?s).*<p>Stability: (stable|preview)\\.\\R.*@since \\d+\\.\\d+\\R.*"), text);
                return;
            }
        }
        throw new AssertionError(name + " has no package-info.java");
    }
}
