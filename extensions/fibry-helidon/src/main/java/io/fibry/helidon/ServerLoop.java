package io.fibry.helidon;

import io.fibry.Actor;
import io.fibry.dispatch.OutOfMemory;
import io.helidon.webserver.WebServer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The loop of a server's own thread. It checks the clients until the server has to end, and then stops Helidon's
 * server. If the server cannot serve any more, the loop throws after that, and the actor fails. No other thread
 * replaces this loop, so an {@link OutOfMemoryError} does not end it. A stop hook cannot stop Helidon's server: it runs
 * after the children have ended, but after a hard stop they may wait for Helidon to close a connection.
 */
final class ServerLoop {

    /**
     * How long a client that has just got a response may take to send the next request, if the server stops meanwhile.
     */
    static volatile long lingerMillis = 200; // not final, for tests on a loaded machine

    private final Gate gate;
    private final Clients clients;
    private final long tickMillis;
    private final CompletableFuture<Void> started = new CompletableFuture<>();
    private final CompletableFuture<Optional<WebServer>> server = new CompletableFuture<>();
    private volatile @Nullable IllegalStateException failure;

    ServerLoop(Gate gate, Clients clients, Duration tick) {
        this.gate = gate;
        this.clients = clients;
        tickMillis = Math.max(1, tick.toMillis());
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
    void give(Optional<WebServer> running) {
        server.complete(running);
    }

    /** Has the loop stop the server, and the actor fail with this cause. Any thread. */
    void fail(IllegalStateException cause) {
        failure = cause; // before the loop can end
        gate.abandon();
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
            server.join().ifPresent(WebServer::stop);
        }
        IllegalStateException cause = failure;
        if (cause != null) {
            throw cause;
        }
    }

    /** Whether the server has to end. */
    private boolean tick() throws InterruptedException {
        try {
            if (gate.awaitEmpty(tickMillis)) {
                return true;
            }
            clients.check();
        } catch (OutOfMemoryError e) {
            OutOfMemory.pause();
        }
        return false;
    }
}
