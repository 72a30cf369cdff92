package io.fibry.helidon;

import io.fibry.Actor;
import io.helidon.webserver.WebServer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The loop of a server's own thread. It checks the clients until the server has to end, and then stops Helidon's
 * server. A stop hook cannot do that: it runs after the children have ended, but after a hard stop they may wait for
 * Helidon to close a connection.
 */
final class ServerLoop {

    private final Gate gate;
    private final Clients clients;
    private final long tickMillis;
    private final CompletableFuture<Void> started = new CompletableFuture<>();
    private final CompletableFuture<Optional<WebServer>> server = new CompletableFuture<>();

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

    private void run() {
        started.complete(null);
        try {
            while (!gate.awaitEmpty(tickMillis)) {
                clients.check();
            }
        } catch (InterruptedException e) {
            gate.abandon(); // the interrupt comes from StopMode.INTERRUPT
        } finally { // also after an exception: nothing else stops the server
            server.join().ifPresent(WebServer::stop);
        }
    }
}
