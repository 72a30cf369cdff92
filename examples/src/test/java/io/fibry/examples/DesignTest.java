package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleFinder;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The table of packages in the design has each package of the library, and says correctly whether it is exported.
 *
 * <p>Seen to fail: a row without {@code io.fibry.observer}, and "no" for {@code io.fibry.dispatch}.
 */
class DesignTest {

    @Test
    void theTableOfPackagesAgreesWithTheModule() throws Exception {
        ModuleDescriptor core = ModuleFinder.of(LibraryJar.location())
                .find("io.fibry")
                .orElseThrow()
                .descriptor();
        Map<String, String> exports =
                core.exports().stream().collect(Collectors.toMap(Exports::source, DesignTest::word));
        var expected = new TreeMap<String, String>();
        core.packages().forEach(name -> expected.put(name, exports.getOrDefault(name, "no")));

        var stated = new TreeMap<String, String>();
        for (var row : Markdown.document("design").rows("package")) {
            String word = row.get(2).replaceFirst(" .*", "");
            for (String name : row.get(0).replace("`", "").split(", ", -1)) {
                stated.put(name, word);
            }
        }
        assertEquals(expected, stated);
    }

    private static String word(Exports exports) {
        return exports.isQualified() ? "to" : "yes";
    }
}
