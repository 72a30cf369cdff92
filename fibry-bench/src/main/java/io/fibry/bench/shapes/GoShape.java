package io.fibry.bench.shapes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fibry.bench.net.Programs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A shape in Go, in a process that performs a run for each line of its input. A run includes the exchange of a line,
 * about 0.1 ms. The source is {@code src/main/go/shapes.go}.
 */
final class GoShape implements AutoCloseable {

    private final Process process;
    private final OutputStream input;
    private final BufferedReader output;

    private GoShape(Process process) {
        this.process = process;
        input = process.getOutputStream();
        output = process.inputReader(UTF_8);
    }

    /**
     * Starts the program.
     *
     * @throws IllegalStateException if Go is not installed
     */
    static GoShape start(String name, long... numbers) {
        String missing = Programs.missingGo();
        if (missing != null) {
            throw new IllegalStateException(missing);
        }
        List<String> args = Stream.concat(
                        Stream.of(name), Arrays.stream(numbers).mapToObj(Long::toString))
                .toList();
        try {
            return new GoShape(new ProcessBuilder(Programs.go("shapes", args))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } catch (IOException e) {
            throw new IllegalStateException("the program in Go cannot be started: " + e.getMessage(), e);
        }
    }

    /** Performs a run, and returns its result. */
    long run() {
        try {
            input.write('\n');
            input.flush();
            String line = output.readLine();
            if (line == null) {
                throw new IllegalStateException("the program in Go has ended");
            }
            return Long.parseLong(line);
        } catch (IOException e) {
            throw new IllegalStateException("the program in Go does not answer: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        process.destroy();
    }
}
