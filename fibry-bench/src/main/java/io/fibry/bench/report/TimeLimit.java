package io.fibry.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Cuts off a fork that hangs, so that a peer that never ends does not take the pass with it. */
final class TimeLimit {

    private TimeLimit() {}

    /**
     * Runs a fork of the trial. When the time is over, all processes that this process has started are killed, and the fork
     * fails.
     */
    static JsonNode fork(Trial trial, Duration limit) throws IOException, InterruptedException {
        var over = new AtomicBoolean();
        try (var timer = Executors.newSingleThreadScheduledExecutor()) {
            // again and again: a process may be just about to start another one
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
