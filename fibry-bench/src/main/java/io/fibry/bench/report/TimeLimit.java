package io.fibry.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Limits the time of a fork, so that a hanging peer does not block the pass. */
final class TimeLimit {

    private TimeLimit() {}

    /**
     * Runs a fork of the trial. When the time limit expires, all child processes of this process are killed, and the
     * fork fails.
     */
    static JsonNode fork(Trial trial, Duration limit) throws IOException, InterruptedException {
        var over = new AtomicBoolean();
        try (var timer = Executors.newSingleThreadScheduledExecutor()) {
            // repeatedly: a process may be about to start another one
            var killing = timer.scheduleAtFixedRate(() -> kill(over), limit.toMillis(), 1_000, TimeUnit.MILLISECONDS);
            try {
                return trial.fork();
            } catch (IOException e) {
                throw over.get() ? new IOException("cut off after " + limit.toSeconds() + " s", e) : e;
            } finally {
                killing.cancel(false);
            }
        }
    }

    private static void kill(AtomicBoolean over) {
        over.set(true);
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    }
}
