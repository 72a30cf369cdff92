package io.fibry.http;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.fibry.sockets.Ports;
import io.fibry.sockets.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** Opens and starts the servers of the HTTP provider. */
final class JdkServers {

    private JdkServers() {}

    static HttpServer open(InetSocketAddress address, HttpOptions options) {
        SSLContext tls = options.tls();
        try {
            if (tls == null) {
                return HttpServer.create(address, options.backlog());
            }
            var configurator = new Configurator(tls, options); // may throw, so before a socket is open
            HttpsServer server = HttpsServer.create(address, options.backlog());
            server.setHttpsConfigurator(configurator);
            return server;
        } catch (IOException e) {
            throw Ports.cannotListen(address, e);
        }
    }

    /** Starts the server; some providers listen only now. If that fails, stops it, because it would keep its port. */
    static void start(HttpServer server, HttpHandler handler, Executor executor, InetSocketAddress address) {
        boolean started = false;
        try {
            server.createContext("/", handler);
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

    /** Gives each connection the parameters that a TCP acceptor would use too. */
    private static final class Configurator extends HttpsConfigurator {
        private final SSLParameters common; // not modified any more

        Configurator(SSLContext context, HttpOptions options) {
            super(context);
            common = Tls.parameters(context, options.tlsParameters());
        }

        @Override
        public void configure(HttpsParameters parameters) {
            parameters.setSSLParameters(common);
        }
    }
}
