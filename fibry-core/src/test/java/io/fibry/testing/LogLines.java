package io.fibry.testing;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Captures the log while this is open. The tests' log goes to the standard error stream. */
public final class LogLines implements AutoCloseable {

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    public LogLines() {
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    }

    public String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** The lines that have all these parts. */
    public List<String> with(String... parts) {
        return text().lines()
                .filter(line -> Arrays.stream(parts).allMatch(line::contains))
                .toList();
    }

    @Override
    public void close() {
        System.setErr(before);
        before.print(text());
    }
}
