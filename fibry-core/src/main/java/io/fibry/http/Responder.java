package io.fibry.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.fibry.dispatch.LogText;
import io.fibry.dispatch.OutOfMemory;
import io.fibry.http.RequestLimits.Permit;
import io.fibry.sockets.AskFailure;
import io.fibry.sockets.CauseLog;
import io.fibry.sockets.ClientLog;
import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks each request, passes it to its route, and sends the response; also if the request is refused or its handler
 * fails.
 */
final class Responder implements HttpHandler {

    private static final Logger LOG = LoggerFactory.getLogger(HttpServerActor.class);
    private static final int LONGEST_CHAIN = 16; // causes; a chain of causes may be cyclic

    private static final HttpReply FAILED = new HttpReply(500, null, "Internal Server Error");

    private final Object server;
    private final HttpRoutes routes;
    private final HttpOptions options;
    private final RequestCheck check;
    private final ExchangeGate gate;
    private final ClientDeadlines deadlines;
    private final ClientLog clients;
    private final CauseLog failures;
    private final RequestLimits limits;
    private final ExchangeMonitor monitor;

    /** Thrown while there may be no memory for a new one. */
    private final IOException noMemory = new IOException("memory has run out, so the response was not sent");

    /** Logs name the server by its {@code toString()}. */
    Responder(
            Object server,
            HttpRoutes routes,
            HttpOptions options,
            ExchangeGate gate,
            ClientDeadlines deadlines,
            ClientLog clients,
            CauseLog failures) {
        this.server = server;
        this.clients = clients;
        this.failures = failures;
        this.routes = routes;
        this.options = options;
        this.check = new RequestCheck(options);
        this.gate = gate;
        this.deadlines = deadlines;
        this.limits = new RequestLimits(gate, routes, options.maxPerAddress());
        this.monitor = new ExchangeMonitor(options);
    }

    HttpStats stats() {
        return monitor.stats(gate.inside(), deadlines.exceeded());
    }

    /** Counts a TLS handshake that has failed, and logs it unless its cause was just logged. */
    void handshakeFailed(String client, Exception cause) {
        monitor.handshakeFailed();
        failures.warn(server + ", the TLS handshake with " + client + " failed", cause);
    }

    /**
     * Throws if the response is not complete. Then the JDK's server closes the connection. If only the exchange were
     * closed, the JDK would count the connection as open until the server ends.
     */
    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try {
            handleOnce(exchange);
        } catch (OutOfMemoryError e) { // also from a report
            OutOfMemory.note();
            throw noMemory; // the permit has been given back, now the connection is closed
        }
    }

    private void handleOnce(HttpExchange exchange) throws IOException {
        Permit permit = limits.enter(exchange);
        try {
            respond(exchange, permit);
        } catch (WrongLengthException e) {
            LOG.error(
                    "Actor {}: the handler of {} {}", who(exchange), request(exchange), LogText.plain(e.getMessage()));
            throw e;
        } catch (IncompleteException e) { // its cause has been reported
            throw e;
        } catch (IOException e) {
            clients.info(server, with(exchange) + ": the client of " + request(exchange) + " got no response: " + e);
            throw e;
        } catch (RuntimeException | Error e) { // not the handler's own
            failed(exchange, e);
            throw new IOException("the response was not sent", e); // an Error would leave the connection open
        } finally {
            limits.leave(permit);
        }
    }

    private void respond(HttpExchange exchange, Permit permit) throws IOException {
        ClientDeadline deadline = deadlines.take();
        try {
            var sender = new ReplySender(exchange, deadline);
            var began = monitor.now();
            boolean complete = false;
            try {
                answerOrRefuse(exchange, permit, deadline, sender);
                complete = true;
                if (sender.keepsOpen()) {
                    gate.keptOpen();
                }
            } finally {
                monitor.ended(exchange, sender, began, complete);
            }
        } finally {
            deadlines.giveBack(deadline);
        }
    }

    private void answerOrRefuse(HttpExchange exchange, Permit permit, ClientDeadline deadline, ReplySender sender)
            throws IOException {
        routes.filters().addHeaders(exchange.getResponseHeaders());
        if (permit.isRefused()) {
            monitor.refused();
            sender.sendLast(
                    permit.kind() == RequestLimits.Kind.FULL ? sender.unavailable() : sender.tooManyOfAddress());
            return;
        }
        var head = new RequestHead(exchange);
        HttpReply refusal = check.refusal(exchange, head);
        if (refusal != null) {
            sender.sendLast(refusal);
        } else {
            answer(exchange, head, deadline, sender);
        }
    }

    private void answer(HttpExchange exchange, RequestHead head, ClientDeadline deadline, ReplySender sender)
            throws IOException {
        if (head.hasBody()) {
            var body = new RequestBody(
                    exchange.getRequestBody(), deadline, options.maxBodyBytes(), head.isChunked(), monitor);
            exchange.setStreams(body, exchange.getResponseBody());
        }
        if (head.isChunked()) {
            sender.makeLast();
        }
        if (head.isLast()) {
            sender.closeAfter();
        }
        HttpReply reply = replyOf(GuardedExchange.of(exchange, sender, gate), sender);
        if (sender.isAnswered()) {
            sender.close();
            return;
        }
        if (gate.isClosed()) {
            sender.makeLast();
        }
        try {
            sender.send(reply);
        } catch (IllegalArgumentException e) { // the handler has set a header that is not valid
            failed(exchange, e);
            sender.clearHeaders();
            sender.sendLast(FAILED);
        }
    }

    private HttpReply replyOf(HttpExchange exchange, ReplySender sender) throws IOException {
        try {
            HttpRoutes.Route route = routes.find(exchange.getRequestURI().getRawPath(), exchange.getRequestMethod());
            sender.route(route.path());
            HttpReply refusal = refusal(exchange, route, sender);
            HttpReply reply = refusal != null ? refusal : route.handle(exchange);
            if (reply != null) {
                return reply;
            }
            if (!sender.isAnswered()) {
                LOG.error(
                        "Actor {}: the handler of {} returned null instead of a response",
                        who(exchange),
                        request(exchange));
                sender.clearHeaders();
            }
        } catch (Throwable t) {
            ClientException client = clientException(t);
            AskFailure ask = client == null ? AskFailure.of(t) : null;
            if (client instanceof ClientLeftException) {
                LOG.debug("Actor {}: the client has left {}", who(exchange), request(exchange));
            } else if (client != null) {
                clients.info(
                        server, with(exchange) + ": " + request(exchange) + " was cut short: " + client.getMessage());
            } else if (ask != null) {
                failures.warn(
                        who(exchange) + ": the answer to " + request(exchange) + " is " + ask.status(), ask.cause());
            } else {
                failed(exchange, t);
            }
            if (sender.isAnswered()) { // a regular end would make the partial response look complete
                throw new IncompleteException(t);
            }
            sender.clearHeaders(); // one of them may be the cause
            if (ask != null) {
                return sender.reply(ask);
            }
            return client == null ? FAILED : client.reply();
        } finally {
            Thread.interrupted(); // a handler may leave it set, and then a write would close the connection instead
        }
        return FAILED;
    }

    /** Runs the filters. The headers that they set stay, whatever the handler does. */
    private @Nullable HttpReply refusal(HttpExchange exchange, HttpRoutes.Route route, ReplySender sender)
            throws Exception {
        RouteFilters filters = routes.filters();
        if (filters.isEmpty()) {
            return null;
        }
        try {
            return filters.refusal(exchange, route);
        } finally {
            sender.keepHeaders();
        }
    }

    private static final class IncompleteException extends IOException {

        @Serial
        private static final long serialVersionUID = 1;

        IncompleteException(Throwable cause) {
            super("the response is incomplete", cause);
        }
    }

    private static @Nullable ClientException clientException(Throwable t) {
        Throwable cause = t;
        for (int depth = 0; cause != null && depth < LONGEST_CHAIN; depth++) {
            if (cause instanceof ClientException e) {
                return e;
            }
            cause = cause.getCause();
        }
        return null;
    }

    /** The server and the client's address, for the log. */
    private String who(HttpExchange exchange) {
        return LogText.plain(server + with(exchange));
    }

    private static String with(HttpExchange exchange) {
        return ", exchange with " + exchange.getRemoteAddress();
    }

    private static String request(HttpExchange exchange) {
        String line =
                exchange.getRequestMethod() + " " + exchange.getRequestURI().getRawPath();
        return LogText.plain(line); // without the query, which may have secrets
    }

    /**
     * Logs a failure, unless its cause was just logged. It is not rethrown, because providers treat exceptions
     * differently. An error also goes to the default uncaught exception handler, as with any actor.
     */
    private void failed(HttpExchange exchange, Throwable t) {
        if (t instanceof OutOfMemoryError) {
            OutOfMemory.note();
        }
        failures.error(who(exchange) + " failed to handle " + request(exchange), t);
        var uncaught = t instanceof Error ? Thread.getDefaultUncaughtExceptionHandler() : null;
        if (uncaught != null) {
            uncaught.uncaughtException(Thread.currentThread(), t);
        }
    }
}
