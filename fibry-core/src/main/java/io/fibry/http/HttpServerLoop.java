package io.fibry.http;

import io.fibry.Actor;
import io.fibry.dispatch.OutOfMemory;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of an HTTP server's own thread. It checks the client deadlines until the server has to end, and then stops
 * the server. If the server cannot serve any more, because memory has run out in threads of the JDK, the loop stops it
 * and throws, and the actor fails. No other thread replaces this loop, so an {@link OutOfMemoryError} does not end it.
 * A stop hook cannot stop the server: it runs after the children have ended, but a child that waits for the rest of a
 * request ends only when the server closes its connection.
 */
final class HttpServerLoop {

    private static final Logger LOG = LoggerFactory.getLogger(HttpServerActor.class);

    /** In seconds; on Java 21, the JDK waits that long even if nothing is in progress. */
    private static final int LAST_RESPONSES = 1;

    /**
     * How long a client that has just got a response may take to send the next request, if the server stops meanwhile.
     */
    static volatile long lingerMillis = 200; // not final, for tests on a loaded machine

    private final ExchangeGate gate;
    private final ClientDeadlines deadlines;
    private final CompletableFuture<Void> started = new CompletableFuture<>();
    private final CompletableFuture<Optional<RunningServer>> server = new CompletableFuture<>();
    private volatile @Nullable IllegalStateException failure;

    HttpServerLoop(ExchangeGate gate, ClientDeadlines deadlines) {
        this.gate = gate;
        this.deadlines = deadlines;
    }

    /**
     * Runs the loop on the actor's thread, and returns once it has begun. Before that, a stop could discard the loop
     * like any other message, and then nothing would stop the server.
     */
    void takeOver(Actor<Void> actor) {
        actor.execute(this::run);
        CompletableFuture.anyOf(started, actor.exit()).join();
        if (!started.isDone()) {
            throw new IllegalStateException("the actor system was closed while the server was being started");
        }
    }

    /**
     * Sets the running server that the loop stops at its end, or none if the start failed. Call it once: the loop waits
     * for it.
     */
    void give(Optional<RunningServer> running) {
        server.complete(running);
    }

    private void check() {
        try {
            deadlines.check();
        } catch (RuntimeException | Error e) { // for instance no memory; the server goes on
            LOG.error("The deadlines of clients could not be checked this time", e);
        }
    }

    /** Makes the loop stop the server, and the actor fail with the given cause. May be called by any thread. */
    void fail(IllegalStateException cause) {
        failure = cause; // before the loop can end
        gate.abandon();
    }

    private void failIfDamaged() {
        RunningServer running = server.getNow(Optional.empty()).orElse(null);
        IllegalStateException damage = running == null ? null : running.failure();
        if (damage != null) {
            fail(damage);
        }
    }

    private void run() {
        started.complete(null);
        try {
            boolean over = false;
            while (!over) {
                over = tick();
            }
            gate.awaitLastRequests(lingerMillis);
        } catch (InterruptedException e) {
            gate.abandon(); // the interrupt comes from StopMode.INTERRUPT
        } finally { // also after an exception: nothing else stops the server
            RunningServer running = server.join().orElse(null);
            if (running != null) {
                running.stop(gate.mayHaveLastRequests() ? LAST_RESPONSES : 0);
            }
        }
        IllegalStateException cause = failure;
        if (cause != null) {
            throw cause;
        }
    }

    /** Whether the server has to end. Any step may run out of memory, also one that allocates nothing in its source. */
    private boolean tick() throws InterruptedException {
        try {
            if (gate.awaitEmpty(deadlines.tickMillis())) {
                return true;
            }
            check();
            failIfDamaged();
        } catch (OutOfMemoryError e) {
            OutOfMemory.pause();
        }
        return false;
    }
}
