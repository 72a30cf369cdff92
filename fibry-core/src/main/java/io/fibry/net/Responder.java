package io.fibry.net;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has a handler answer requests, and sees to it that each of them gets an answer. */
final class Responder implements HttpHandler {

    private static final Logger LOG = LoggerFactory.getLogger(HttpServerActor.class);
    private static final int OK = 200;
    private static final int INTERNAL_ERROR = 500;
    private static final int UNAVAILABLE = 503;
    private static final int NO_BODY = -1;

    private final String server;
    private final ExchangeHandler handler;
    private final ExchangeGate gate;

    Responder(String server, ExchangeHandler handler, ExchangeGate gate) {
        this.server = server;
        this.handler = handler;
        this.gate = gate;
    }

    @Override
    public void handle(HttpExchange exchange) {
        if (!gate.enter()) {
            send(exchange, UNAVAILABLE, "Service Unavailable");
            return;
        }
        try {
            answer(exchange);
        } finally {
            gate.leave(); // after the response is on its way: the last to leave has the server close its connections
        }
    }

    private void answer(HttpExchange exchange) {
        String text = null;
        try {
            text = handler.handle(exchange);
            if (text == null && !isAnswered(exchange)) {
                LOG.error("Actor {}: the handler of {} returned null instead of a text", server, request(exchange));
            }
        } catch (Throwable t) {
            failed(exchange, t);
        }
        if (isAnswered(exchange)) {
            exchange.close();
        } else if (text == null) {
            send(exchange, INTERNAL_ERROR, "Internal Server Error");
        } else {
            send(exchange, OK, text);
        }
    }

    private static boolean isAnswered(HttpExchange exchange) {
        return exchange.getResponseCode() != -1;
    }

    private static String request(HttpExchange exchange) {
        return exchange.getRequestMethod() + " " + exchange.getRequestURI();
    }

    /** The exception ends here, since each provider treats one in its own way; an error is passed on as by an actor. */
    private void failed(HttpExchange exchange, Throwable t) {
        LOG.error("Actor {} failed to handle {}", server, request(exchange), t);
        var uncaught = t instanceof Error ? Thread.getDefaultUncaughtExceptionHandler() : null;
        if (uncaught != null) {
            uncaught.uncaughtException(Thread.currentThread(), t);
        }
    }

    /** Sends the response and ends the exchange, which also reads what is left of the request. */
    private void send(HttpExchange exchange, int status, String text) {
        try (exchange) {
            Headers headers = exchange.getResponseHeaders();
            if (status != OK || !headers.containsKey("Content-Type")) {
                headers.set("Content-Type", "text/plain; charset=utf-8");
            }
            if (gate.isClosed()) {
                headers.set("Connection", "close");
            }
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            if (exchange.getRequestMethod().equals("HEAD")) {
                headers.set("Content-Length", Integer.toString(body.length));
                exchange.sendResponseHeaders(status, NO_BODY);
            } else if (body.length == 0) {
                exchange.sendResponseHeaders(status, NO_BODY); // 0 would mean a body of unknown length
            } else {
                exchange.sendResponseHeaders(status, body.length);
                exchange.getResponseBody().write(body);
            }
        } catch (IOException e) {
            LOG.info("Actor {}: the client of {} got no response: {}", server, request(exchange), e.toString());
        } catch (RuntimeException e) {
            failed(exchange, e); // a header of the handler's that cannot be sent, for instance
        }
    }
}
