package io.fibry.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.testing.NoLeftovers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(NoLeftovers.class)
@Timeout(120)
class HttpTlsTest {

    @TempDir
    Path directory;

    /** A key and its certificate, made by the JDK's tool. */
    private SSLContext newContext() throws Exception {
        Path store = directory.resolve("keys");
        var keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-storepass",
                        "changeit",
                        "-keystore",
                        store.toString())
                .inheritIO()
                .start();
        assertEquals(0, keytool.waitFor());
        char[] password = "changeit".toCharArray();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(store)) {
            keys.load(in, password);
        }
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, password);
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(keys);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void speaksTls(String version) throws Exception {
        SSLContext context = newContext();
        HttpRoutes routes = HttpRoutes.all(exchange -> "secret");
        HttpOptions options = HttpOptions.builder().tls(context).build();
        try (var system = ActorSystem.create();
                var server = HttpServerActor.start(system, ThreadStrategy.virtual(), 0, routes, options);
                var socket = (SSLSocket) context.getSocketFactory().createSocket("localhost", server.port())) {
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
}
