package io.fibry.net;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** Opens and starts the servers of the HTTP provider. */
final class ServerSockets {

    private static final Set<String> PROTOCOLS = Set.of("TLSv1.2", "TLSv1.3");

    private ServerSockets() {}

    static HttpServer open(InetSocketAddress address, HttpOptions options) {
        SSLContext tls = options.tls();
        try {
            if (tls == null) {
                return HttpServer.create(address, options.backlog());
            }
            HttpsServer server = HttpsServer.create(address, options.backlog());
            server.setHttpsConfigurator(new Tls(tls));
            return server;
        } catch (IOException e) {
            throw Ports.cannotListen(address, e);
        }
    }

    /** Some providers listen only now. A server that never ran would keep its port. */
    static void start(HttpServer server, Executor executor, InetSocketAddress address) {
        boolean started = false;
        try {
            server.setExecutor(executor);
            server.start();
            started = true;
        } catch (RuntimeException e) {
            if (e.getCause() instanceof IOException cause) {
                throw Ports.cannotListen(address, cause);
            }
            throw e;
        } finally {
            if (!started) {
                server.stop(0);
            }
        }
    }

    private static final class Tls extends HttpsConfigurator {
        private final String[] protocols;

        Tls(SSLContext context) {
            super(context);
            protocols = Stream.of(context.getSupportedSSLParameters().getProtocols())
                    .filter(PROTOCOLS::contains)
                    .toArray(String[]::new);
        }

        @Override
        public void configure(HttpsParameters parameters) {
            SSLParameters tls = getSSLContext().getDefaultSSLParameters();
            tls.setProtocols(protocols);
            parameters.setSSLParameters(tls);
        }
    }
}
