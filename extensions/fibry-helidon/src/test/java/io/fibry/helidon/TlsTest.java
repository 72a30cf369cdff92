package io.fibry.helidon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same with TLS: clients choose the version of HTTP by ALPN. */
@Timeout(60)
class TlsTest {

    private static final String PASSWORD = "password of a test";

    @TempDir
    private Path folder;

    /** For the server, and for clients that trust it. */
    private SSLContext keys() throws Exception {
        Path file = folder.resolve("keys.p12");
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        var process = new ProcessBuilder(
                        keytool,
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        file.toString())
                .inheritIO()
                .start();
        assertEquals(0, process.waitFor());
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, PASSWORD.toCharArray());
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    @ParameterizedTest
    @EnumSource
    void requestsAreAnswered(Version version) throws Exception {
        SSLContext keys = keys();
        var routes = HelidonRoutes.none()
                .http(http -> http.get(
                        "/",
                        (request, response) -> response.send(request.prologue().protocolVersion())));
        try (ActorSystem system = ActorSystem.create();
                var client = HttpClient.newBuilder()
                        .sslContext(keys)
                        .version(version)
                        .build()) {
            int port = HelidonServer.start(system.actor(), 0, routes, Servers.HTTP_2.tls(keys))
                    .port();
            HttpResponse<String> response = client.send(
                    HttpRequest.newBuilder(URI.create("https://localhost:" + port + "/"))
                            .build(),
                    BodyHandlers.ofString());
            assertEquals(version, response.version());
            assertEquals(version == Version.HTTP_2 ? "2.0" : "1.1", response.body());
        }
    }

    /** A server that asks the DNS for the name of each client lets the client wait for the answer. */
    @Test
    void theServerDoesNotAskForTheNamesOfItsClients() throws Exception {
        SSLContext keys = keys();
        var routes = HelidonRoutes.none()
                .http(http -> http.get(
                        "/",
                        (request, response) ->
                                response.send(request.remotePeer().host())));
        try (ActorSystem system = ActorSystem.create();
                var client = HttpClient.newBuilder().sslContext(keys).build()) {
            HelidonServer server = HelidonServer.start(
                    system.actor(), 0, routes, HelidonOptions.defaults().tls(keys));
            String host = client.send(
                            HttpRequest.newBuilder(URI.create("https://localhost:" + server.port() + "/"))
                                    .build(),
                            BodyHandlers.ofString())
                    .body();
            assertTrue(host.matches("[0-9a-f.:]+"), host);
        }
    }

    @Test
    void webSocketsAreServed() throws Exception {
        SSLContext keys = keys();
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        var listener = new WebSocket.Listener() {
            @Override
            public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
                lines.add(text.toString());
                socket.request(1);
                return null;
            }

            @Override
            public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
                lines.add("closed with " + code);
                return null;
            }
        };
        try (ActorSystem system = ActorSystem.create();
                var client = HttpClient.newBuilder().sslContext(keys).build()) {
            var routes = HelidonRoutes.none().webSocket("/ws", Servers.ECHO);
            HelidonServer server = HelidonServer.start(
                    system.actor(), 0, routes, HelidonOptions.defaults().tls(keys));
            WebSocket socket = client.newWebSocketBuilder()
                    .buildAsync(URI.create("wss://localhost:" + server.port() + "/ws"), listener)
                    .join();
            socket.sendText("hello", true).join();
            assertEquals("hello", lines.poll(60, TimeUnit.SECONDS));
            assertTrue(server.close(Servers.LONG));
            assertEquals("closed with 1001", lines.poll(60, TimeUnit.SECONDS));
        }
    }
}
