package io.fibry.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.testing.Certificate;
import io.fibry.testing.NoLeftovers;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(NoLeftovers.class)
@Timeout(120)
class HttpTlsTest {

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void speaksTls(String version) throws Exception {
        HttpRoutes routes = HttpRoutes.all(exchange -> "secret");
        try (var certificate = new Certificate();
                var system = ActorSystem.create();
                var server = HttpServerActor.start(
                        system.actor().strategy(ThreadStrategy.virtual()), 0, routes, tls(certificate.context()));
                var socket =
                        (SSLSocket) certificate.context().getSocketFactory().createSocket("localhost", server.port())) {
            socket.setSoTimeout(30_000);
            socket.setEnabledProtocols(new String[] {version});
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.UTF_8));
            String response = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(response.startsWith("HTTP/1.1 200 "), response);
            assertTrue(response.endsWith("\r\n\r\nsecret"), response);
            assertEquals(version, socket.getSession().getProtocol());
        }
    }

    private static HttpOptions tls(SSLContext context) {
        return HttpOptions.defaults().tls(context);
    }

    @Test
    void aContextWithoutASafeVersionIsRefused() throws Exception {
        var unsafe = SSLContext.getInstance("TLSv1");
        unsafe.init(null, null, null);
        try (var system = ActorSystem.create()) {
            HttpRoutes routes = HttpRoutes.none();
            var e = assertThrows(
                    IllegalArgumentException.class,
                    () -> HttpServerActor.start(
                            system.actor().strategy(ThreadStrategy.virtual()), 0, routes, tls(unsafe)));
            assertTrue(e.getMessage().contains("neither TLS 1.2 nor 1.3"), e.getMessage());
        }
    }
}
