package io.fibry.http;

import com.sun.net.httpserver.HttpServer;
import io.fibry.Actor;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work of an HTTP server's own thread: it ends what takes too long, until the server is to end, and stops it. A stop hook could not do that,
 * because a child that waits for the rest of a request ends only when the server closes its connection, and stop hooks come
 * after the children.
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
     * Has the actor's thread do this work. Returns when it is at it, because until then a stop could discard it as any other
     * message, and nobody would stop the server.
     */
    void takeOver(Actor<Void> actor) {
        actor.execute(this::run);
        CompletableFuture.anyOf(atWork, actor.exit()).join();
        if (!atWork.isDone()) {
            throw new IllegalStateException("the actor system was closed while the server was being started");
        }
    }

    /** To be called once: the server to stop in the end, which runs, or none if it could not be started. */
    void give(Optional<HttpServer> running) {
        server.complete(running);
    }

    private void check() {
        try {
            deadlines.check();
        } catch (RuntimeException | Error e) { // no memory, perhaps; no reason to end a server
            LOG.error("Slow clients could not be looked after, for this time", e);
        }
    }

    private void run() {
        atWork.complete(null);
        try {
            while (!gate.awaitEmpty(deadlines.tickMillis())) {
                check();
            }
        } catch (InterruptedException e) {
            gate.abandon(); // the interrupt is the hardest stop
        } finally { // after whatever went wrong: nobody else stops it
            server.join().ifPresent(running -> running.stop(0));
        }
    }
}
