package io.fibry.examples.ab;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** Runs ab, the HTTP load generator of Apache. */
public final class Ab {

    private static final int CONNECTIONS = 100;

    private final int requests;

    public Ab(int requests) {
        this.requests = requests;
    }

    public boolean isInstalled() throws InterruptedException {
        try {
            run("-V");
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Runs ab against a server on this port. */
    public AbResult load(int port) throws IOException, InterruptedException {
        String connections = Integer.toString(Math.min(CONNECTIONS, requests));
        String report =
                run("-q", "-k", "-n", Integer.toString(requests), "-c", connections, "http://127.0.0.1:" + port + "/");
        return new AbResult(
                number(report, "Requests per second: +([\\d.]+)"),
                (int) number(report, "Complete requests: +(\\d+)"),
                (int) number(report, "Failed requests: +(\\d+)"));
    }

    private static double number(String report, String regex) throws IOException {
        var found = Pattern.compile(regex).matcher(report);
        if (!found.find()) {
            throw new IOException("the report of ab has an unexpected format: " + report);
        }
        return Double.parseDouble(found.group(1));
    }

    private static String run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ab"));
        command.addAll(Arrays.asList(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        process.waitFor();
        return output;
    }
}
