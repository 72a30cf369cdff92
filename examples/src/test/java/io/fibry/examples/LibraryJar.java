package io.fibry.examples;

import io.fibry.Actor;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** The jar of the library, of the classes and resources that the tests run with. */
final class LibraryJar {

    private LibraryJar() {}

    /** Writes the jar. If the tests already run with one, copies it. */
    static void make(Path jar) throws IOException {
        Path library = Path.of(
                Actor.class.getProtectionDomain().getCodeSource().getLocation().getPath());
        if (Files.isRegularFile(library)) {
            Files.copy(library, jar);
            return;
        }
        try (var out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Path file : filesIn(library)) {
                add(out, library.relativize(file).toString(), file);
            }
        }
    }

    private static List<Path> filesIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static void add(JarOutputStream jar, String name, Path file) throws IOException {
        jar.putNextEntry(new JarEntry(name));
        Files.copy(file, (OutputStream) jar);
        jar.closeEntry();
    }
}
