package io.fibry.net.attack;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Programs that the attacks need and not every machine has. */
final class Tools {

    private Tools() {}

    /** The path of the program; without it the test is skipped, and the message says how to install it. */
    static String find(String program, String debianPackage) {
        Path found = Stream.concat(Stream.of(System.getenv("PATH").split(File.pathSeparator)), Stream.of("/usr/sbin"))
                .map(directory -> Path.of(directory, program))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        assumeTrue(found != null, program + " is missing; on Debian: apt-get install " + debianPackage);
        return String.valueOf(found);
    }

    /**
     * Skips the test of an HTTP server where slow clients prevent handlers on virtual threads from running, as the
     * guide says.
     */
    static void assumeSlowClientsKeepNoCarrier(String strategy) {
        assumeTrue(
                strategy.equals("platform") || Runtime.version().feature() >= 24,
                "before Java 24, the JDK's HTTP server keeps a carrier thread while it waits for a client");
    }
}
