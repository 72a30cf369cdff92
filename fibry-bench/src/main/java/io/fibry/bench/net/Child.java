package io.fibry.bench.net;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Writer;
import java.util.List;

/**
 * A program of this module in a separate JVM. It answers each line of input with a line of output, by {@link #answer}.
 */
final class Child implements AutoCloseable {

    /** The child's side. */
    @FunctionalInterface
    interface Answers {
        Object to(String question) throws Exception;
    }

    private final Process process;
    private final BufferedReader output;
    private final Writer input;

    private Child(Process process) {
        this.process = process;
        output = process.inputReader(UTF_8);
        input = process.outputWriter(UTF_8);
    }

    static Child start(Class<?> program, List<String> jvmOptions, String... args) throws IOException {
        return new Child(new ProcessBuilder(Programs.java(program, jvmOptions, args))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    String ask(String question) throws IOException {
        input.write(question + "\n");
        input.flush();
        String answer = output.readLine();
        if (answer == null) {
            throw new IOException("A program ended that was asked \"" + question + "\"; its error is above.");
        }
        return answer;
    }

    long number(String question) throws IOException {
        return Long.parseLong(ask(question));
    }

    /** Ends the process and waits for its end. */
    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }

    /** Answers until the input ends, and then exits the JVM. The child's main method ends with this call. */
    static void answer(Answers answers) throws Exception {
        var out = new PrintStream(System.out, true, UTF_8);
        var in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        int status = 1; // also if an answer fails: a server's threads would keep the JVM alive
        try {
            for (String question = in.readLine(); question != null; question = in.readLine()) {
                out.println(answers.to(question));
            }
            status = 0;
        } catch (Exception e) {
            System.err.println("No answer: " + e);
        }
        System.exit(status);
    }
}
