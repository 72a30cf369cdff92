package io.fibry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpsExchange;
import io.fibry.http.HttpOptions;
import io.fibry.http.HttpRoutes;
import io.fibry.net.ConnectionHandler;
import io.fibry.net.TcpOptions;
import io.fibry.stereotypes.Stereotypes;
import io.fibry.testing.Certificate;
import io.fibry.testing.NoLeftovers;
import io.fibry.testing.WithCertificate;
import java.io.IOException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The code of the Javadoc of TLS, compiled and run. */
@ExtendWith(NoLeftovers.class)
@Timeout(120)
class TlsSnippets extends WithCertificate {

    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

    private static SSLSocket connect(SSLContext client, int port) throws IOException {
        var socket = (SSLSocket) client.getSocketFactory().createSocket("localhost", port);
        socket.setSoTimeout(60_000);
        return socket;
    }

    /** Returns the server's output up to its end; with TLS 1.3, a client detects its refusal at the first read. */
    private static String talk(SSLSocket socket, String request) throws IOException {
        socket.getOutputStream().write(request.getBytes(UTF_8));
        return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }

    @Test
    void tcp() throws Exception {
        // @start region="tcp"
        var options = TcpOptions.defaults().tls(context).tlsParameters(tls -> {
            tls.setNeedClientAuth(true);
            tls.setApplicationProtocols(new String[] {"orders"}); // ALPN
            tls.setCipherSuites(new String[] {"TLS_AES_256_GCM_SHA384"});
        });
        ConnectionHandler handler = socket -> {
            var session = ((SSLSocket) socket).getSession();
            socket.getOutputStream().write(session.getPeerPrincipal().getName().getBytes(UTF_8));
        };
        // @end
        try (var system = ActorSystem.create();
                var server = Stereotypes.fibers().in(system).tcpAcceptor(0, handler, options)) {
            try (var client = connect(context, server.port())) {
                var parameters = client.getSSLParameters();
                parameters.setApplicationProtocols(new String[] {"other", "orders"});
                client.setSSLParameters(parameters);
                assertEquals("CN=localhost", talk(client, ""));
                assertEquals("orders", client.getApplicationProtocol());
                assertEquals("TLS_AES_256_GCM_SHA384", client.getSession().getCipherSuite());
            }
            try (var stranger = connect(certificate.contextWith(null), server.port())) {
                assertThrows(IOException.class, () -> talk(stranger, ""));
            }
        }
    }

    @Test
    void http() throws Exception {
        // @start region="http"
        var options = HttpOptions.defaults().tls(context).tlsParameters(tls -> tls.setNeedClientAuth(true));
        var routes = HttpRoutes.none().get("/", exchange -> {
            var session = ((HttpsExchange) exchange).getSSLSession();
            return "Hello " + session.getPeerPrincipal().getName();
        });
        // @end
        try (var system = ActorSystem.create();
                var server = Stereotypes.fibers().in(system).embeddedHttpServer(0, routes, options)) {
            try (var client = connect(context, server.port())) {
                assertTrue(talk(client, REQUEST).endsWith("\r\n\r\nHello CN=localhost"));
            }
            try (var stranger = connect(certificate.contextWith(null), server.port())) {
                assertEquals("", answer(stranger));
            }
        }
    }

    /** Returns the response to a request. The server of Java 21 closes the connection without an alert. */
    private static String answer(SSLSocket socket) {
        try {
            return talk(socket, REQUEST);
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void anOldVersionIsRefused() throws Exception {
        var tcp = TcpOptions.defaults()
                .tls(context)
                .tlsParameters(tls -> tls.setProtocols(new String[] {"TLSv1.1", "TLSv1.2"}));
        var http = HttpOptions.defaults().tls(context).tlsParameters(tcp.tlsParameters());
        try (var system = ActorSystem.create()) {
            var stereotypes = Stereotypes.fibers().in(system);
            assertThrows(IllegalArgumentException.class, () -> stereotypes.tcpAcceptor(0, socket -> {}, tcp));
            assertThrows(
                    IllegalArgumentException.class, () -> stereotypes.embeddedHttpServer(0, HttpRoutes.none(), http));
        }
    }

    @Test
    void aCertificateIsRenewedWhileTheServersRun() throws Exception {
        try (var renewed = new Certificate();
                var system = ActorSystem.create()) {
            var keys = new RenewableKeys(certificate.keys(), Certificate.password());
            SSLContext ofServer = certificate.contextWith(keys);
            var stereotypes = Stereotypes.fibers().in(system);
            var tcp = stereotypes.tcpAcceptor(
                    0,
                    socket -> {
                        byte[] request = socket.getInputStream().readNBytes(REQUEST.length());
                        socket.getOutputStream().write(request[0]);
                    },
                    TcpOptions.defaults().tls(ofServer));
            var http = stereotypes.embeddedHttpServer(
                    0, HttpRoutes.all(exchange -> "x"), HttpOptions.defaults().tls(ofServer));
            try (var open = connect(certificate.contextWith(null), tcp.port())) {
                open.startHandshake();
                keys.renew(renewed.keys(), Certificate.password());
                assertEquals("G", talk(open, REQUEST));
            }
            for (int port : new int[] {tcp.port(), http.port()}) {
                try (var client = connect(renewed.contextWith(null), port)) {
                    String answer = talk(client, REQUEST);
                    assertTrue(answer.equals("G") || answer.endsWith("\r\n\r\nx"), answer);
                }
                try (var old = connect(certificate.contextWith(null), port)) {
                    assertThrows(SSLException.class, () -> talk(old, REQUEST));
                }
            }
        }
    }
}
