package io.fibry.http;

import com.sun.net.httpserver.HttpServer;
import io.fibry.Actor;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of an HTTP server's own thread. It checks the client deadlines until the server has to end, and then stops the server.
 * A stop hook cannot do that: it runs after the children have ended, but a child that waits for the rest of a request ends only
 * when the server closes its connection.
 */
final class HttpServerLoop {

    private static final Logger LOG = LoggerFactory.getLogger(HttpServerActor.class);

    private final ExchangeGate gate;
    private final ClientDeadlines deadlines;
    private final CompletableFuture<Void> atWork = new CompletableFuture<>();
    private final CompletableFuture<Optional<HttpServer>> server = new CompletableFuture<>();

    HttpServerLoop(ExchangeGate gate, ClientDeadlines deadlines) {
        this.gate = gate;
        this.deadlines = deadlines;
    }

    /**
     * Runs the loop on the actor's thread, and returns once it has begun. Before that, a stop could discard the loop like any
     * other message, and then nothing would stop the server.
     */
    void takeOver(Actor<Void> actor) {
        actor.execute(this::run);
        CompletableFuture.anyOf(atWork, actor.exit()).join();
        if (!atWork.isDone()) {
            throw new IllegalStateException("the actor system was closed while the server was being started");
        }
    }

    /**
     * Sets the running server that the loop stops at its end, or none if the start failed. Call it once: the loop waits for it.
     */
    void give(Optional<HttpServer> running) {
        server.complete(running);
    }

    private void check() {
        try {
            deadlines.check();
        } catch (RuntimeException | Error e) { // for instance no memory; the server goes on
            LOG.error("The deadlines of clients could not be checked this time", e);
        }
    }

    private void run() {
        atWork.complete(null);
        try {
            while (!gate.awaitEmpty(deadlines.tickMillis())) {
                check();
            }
        } catch (InterruptedException e) {
            gate.abandon(); // the interrupt comes from StopMode.INTERRUPT
        } finally { // also after an exception: nothing else stops the server
            server.join().ifPresent(running -> running.stop(0));
        }
    }
}
