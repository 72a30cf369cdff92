package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The jar of the library, of the classes and resources that the tests run with. */
final class LibraryJar {

    private LibraryJar() {}

    /** Returns the folder or jar with the classes of the library. */
    static Path location() {
        return Path.of(
                Actor.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    }

    /** Writes the jar. If the tests already run with one, copies it. */
    static void make(Path jar) throws IOException {
        Path library = location();
        if (Files.isRegularFile(library)) {
            Files.copy(library, jar);
            return;
        }
        try (var out = new JarOutputStream(Files.newOutputStream(jar), manifest())) {
            for (Path file : filesIn(library)) {
                add(out, library.relativize(file).toString(), file);
            }
        }
    }

    /** The manifest with the main class of the build. */
    private static Manifest manifest() throws IOException {
        String build = Files.readString(Markdown.PROJECT.resolve("fibry-core/pom.xml"));
        Matcher mainClass = Pattern.compile("<mainClass>(.+)</mainClass>").matcher(build);
        assertTrue(mainClass.find());
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, mainClass.group(1));
        return manifest;
    }

    private static List<Path> filesIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.endsWith(JarFile.MANIFEST_NAME)) // that of a release
                    .sorted()
                    .toList();
        }
    }

    private static void add(JarOutputStream jar, String name, Path file) throws IOException {
        jar.putNextEntry(new JarEntry(name));
        Files.copy(file, (OutputStream) jar);
        jar.closeEntry();
    }
}
