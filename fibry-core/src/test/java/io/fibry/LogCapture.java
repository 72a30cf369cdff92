package io.fibry;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** What is logged while it is open. The tests' log goes to the standard error stream. */
final class LogCapture implements AutoCloseable {

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    LogCapture() {
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    }

    String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** How many lines have all these parts. */
    long lines(String... parts) {
        return text().lines()
                .filter(line -> Arrays.stream(parts).allMatch(line::contains))
                .count();
    }

    @Override
    public void close() {
        System.setErr(before);
        before.print(text());
    }
}
