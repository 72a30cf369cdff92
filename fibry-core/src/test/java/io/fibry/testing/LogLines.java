package io.fibry.testing;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What is logged while this is open, which is when the log's lines go nowhere else. */
public final class LogLines implements AutoCloseable {

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    public LogLines() {
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    }

    public List<String> with(String text) {
        return bytes.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains(text))
                .toList();
    }

    @Override
    public void close() {
        System.setErr(before);
    }
}
