package io.fibry.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import com.sun.net.httpserver.HttpsExchange;
import io.fibry.dispatch.LogText;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The exchange that a handler gets. Response headers that the handler sends itself are checked and have a write
 * timeout, like the replies that {@link ReplySender} sends. The body's stream cannot do that: the provider writes the
 * headers directly to the connection, and would wait for a slow client without a limit.
 *
 * <p>It has its own attributes, which end with it. The JDK's server keeps the attributes of an exchange in its context,
 * which all requests of a server share: a handler would read the attributes that the handler of another client has set.
 */
final class GuardedExchange extends HttpExchange {

    private static final Logger LOG = LoggerFactory.getLogger(HttpServerActor.class);

    private final HttpExchange exchange;
    private final ReplySender sender;
    private final ExchangeGate gate;
    private Map<String, List<String>> pathParameters = Map.of();

    /** For several threads, because a handler may pass its exchange on. */
    private final Map<String, Object> attributes = new ConcurrentHashMap<>();

    private GuardedExchange(HttpExchange exchange, ReplySender sender, ExchangeGate gate) {
        this.exchange = exchange;
        this.sender = sender;
        this.gate = gate;
    }

    /** An {@link HttpsExchange} stays one, because handlers may test for it. */
    static HttpExchange of(HttpExchange exchange, ReplySender sender, ExchangeGate gate) {
        var guarded = new GuardedExchange(exchange, sender, gate);
        return exchange instanceof HttpsExchange secure ? new Secure(guarded, secure) : guarded;
    }

    /** The guard of an exchange that {@link #of} has returned. */
    static GuardedExchange guardOf(HttpExchange exchange) {
        return switch (exchange) {
            case GuardedExchange guarded -> guarded;
            case Secure secure -> secure.guarded;
            default ->
                throw new IllegalArgumentException(
                        "only the exchange that the handler got has the parameters of the path, not "
                                + exchange.getClass().getName());
        };
    }

    /** The gate of its server. */
    ExchangeGate gate() {
        return gate;
    }

    void pathParameters(Map<String, List<String>> parameters) {
        pathParameters = parameters;
    }

    Map<String, List<String>> pathParameters() {
        return pathParameters;
    }

    @Override
    public void sendResponseHeaders(int status, long length) throws IOException {
        if (gate.isClosed()) {
            sender.closeAfter(); // the connection has no further requests
        }
        sender.sendHead(status, length);
    }

    /** Only logs a failure: the server closes the exchange again after the handler, and that reports it. */
    @Override
    public void close() {
        try {
            sender.close();
        } catch (IOException e) {
            LOG.debug("A handler could not close its exchange", LogText.plainTrace(e));
        }
    }

    @Override
    public Headers getRequestHeaders() {
        return exchange.getRequestHeaders();
    }

    @Override
    public Headers getResponseHeaders() {
        return exchange.getResponseHeaders();
    }

    @Override
    public URI getRequestURI() {
        return exchange.getRequestURI();
    }

    @Override
    public String getRequestMethod() {
        return exchange.getRequestMethod();
    }

    @Override
    public HttpContext getHttpContext() {
        return exchange.getHttpContext();
    }

    @Override
    public InputStream getRequestBody() {
        return exchange.getRequestBody();
    }

    @Override
    public OutputStream getResponseBody() {
        return exchange.getResponseBody();
    }

    @Override
    public InetSocketAddress getRemoteAddress() {
        return exchange.getRemoteAddress();
    }

    @Override
    public int getResponseCode() {
        return exchange.getResponseCode();
    }

    @Override
    public InetSocketAddress getLocalAddress() {
        return exchange.getLocalAddress();
    }

    @Override
    public String getProtocol() {
        return exchange.getProtocol();
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        return attributes.get(name);
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
        if (value == null) {
            attributes.remove(name);
        } else {
            attributes.put(name, value);
        }
    }

    @Override
    public void setStreams(InputStream in, OutputStream out) {
        exchange.setStreams(in, out);
    }

    @Override
    public HttpPrincipal getPrincipal() {
        return exchange.getPrincipal();
    }

    /** The same with TLS. */
    private static final class Secure extends HttpsExchange {

        private final GuardedExchange guarded;
        private final HttpsExchange exchange;

        Secure(GuardedExchange guarded, HttpsExchange exchange) {
            this.guarded = guarded;
            this.exchange = exchange;
        }

        @Override
        public SSLSession getSSLSession() {
            return exchange.getSSLSession();
        }

        @Override
        public void sendResponseHeaders(int status, long length) throws IOException {
            guarded.sendResponseHeaders(status, length);
        }

        @Override
        public void close() {
            guarded.close();
        }

        @Override
        public Headers getRequestHeaders() {
            return exchange.getRequestHeaders();
        }

        @Override
        public Headers getResponseHeaders() {
            return exchange.getResponseHeaders();
        }

        @Override
        public URI getRequestURI() {
            return exchange.getRequestURI();
        }

        @Override
        public String getRequestMethod() {
            return exchange.getRequestMethod();
        }

        @Override
        public HttpContext getHttpContext() {
            return exchange.getHttpContext();
        }

        @Override
        public InputStream getRequestBody() {
            return exchange.getRequestBody();
        }

        @Override
        public OutputStream getResponseBody() {
            return exchange.getResponseBody();
        }

        @Override
        public InetSocketAddress getRemoteAddress() {
            return exchange.getRemoteAddress();
        }

        @Override
        public int getResponseCode() {
            return exchange.getResponseCode();
        }

        @Override
        public InetSocketAddress getLocalAddress() {
            return exchange.getLocalAddress();
        }

        @Override
        public String getProtocol() {
            return exchange.getProtocol();
        }

        @Override
        public @Nullable Object getAttribute(String name) {
            return guarded.getAttribute(name);
        }

        @Override
        public void setAttribute(String name, @Nullable Object value) {
            guarded.setAttribute(name, value);
        }

        @Override
        public void setStreams(InputStream in, OutputStream out) {
            exchange.setStreams(in, out);
        }

        @Override
        public HttpPrincipal getPrincipal() {
            return exchange.getPrincipal();
        }
    }
}
