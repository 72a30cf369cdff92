package io.fibry.net.attack;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Programs that the attacks need and that not every machine has. */
final class Tools {

    private Tools() {}

    /** Where the program is; without it the test is skipped, and the message says what to install. */
    static String find(String program, String debianPackage) {
        Path found = Stream.concat(Stream.of(System.getenv("PATH").split(File.pathSeparator)), Stream.of("/usr/sbin"))
                .map(directory -> Path.of(directory, program))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        assumeTrue(found != null, program + " is missing; on Debian: apt-get install " + debianPackage);
        return String.valueOf(found);
    }
}
