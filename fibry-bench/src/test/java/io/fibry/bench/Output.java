package io.fibry.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

/** The output of a program. */
public final class Output {

    @FunctionalInterface
    public interface Program {
        void run() throws Exception;
    }

    private Output() {}

    public static String of(Program program) throws Exception {
        PrintStream before = System.out;
        var bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes, true, UTF_8));
        try {
            program.run();
        } finally {
            System.setOut(before);
        }
        return bytes.toString(UTF_8);
    }
}
