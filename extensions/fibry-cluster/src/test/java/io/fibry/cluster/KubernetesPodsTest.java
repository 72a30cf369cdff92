package io.fibry.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A stub of the API server, with a certificate of its own. */
@Timeout(60)
class KubernetesPodsTest {

    private static final String PODS = """
        {"kind": "PodList", "items": [
          {"metadata": {"name": "a"}, "status": {"phase": "Running", "podIP": "10.1.0.4"}},
          {"metadata": {"name": "b"}, "status": {"phase": "Running", "podIP": "fd00::5"}},
          {"metadata": {"name": "starts"}, "status": {"phase": "Pending"}},
          {"metadata": {"name": "failed"}, "status": {"phase": "Failed", "podIP": "10.1.0.6"}},
          {"metadata": {"name": "ends", "deletionTimestamp": "2026-01-01T00:00:00Z"},
           "status": {"phase": "Running", "podIP": "10.1.0.7"}}]}
        """;

    private final List<String> requests = new ArrayList<>();
    private int status = 200;

    @TempDir
    private Path account;

    private HttpsServer server;

    @BeforeEach
    void start() throws Exception {
        Path keys = createKeys("keys.p12");
        Files.writeString(account.resolve("namespace"), "shop");
        Files.writeString(account.resolve("token"), "abc\n");
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context(keys)));
        server.createContext("/", exchange -> {
            requests.add(exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("Authorization"));
            byte[] body = PODS.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    /** Creates a key for a server, and makes its certificate the one that the pod trusts. */
    private Path createKeys(String file) throws Exception {
        Path keys = account.resolve(file);
        List<String> store = List.of("-keystore", keys.toString(), "-storepass", "secret", "-alias", "api");
        keytool(store, "-genkeypair", "-keyalg", "EC", "-dname", "CN=api", "-ext", "san=ip:127.0.0.1");
        keytool(store, "-exportcert", "-rfc", "-file", account.resolve("ca.crt").toString());
        return keys;
    }

    private static void keytool(List<String> store, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(store);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
    }

    private static SSLContext context(Path keys) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, "secret".toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, "secret".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    private KubernetesPods pods() {
        Map<String, String> environment = Map.of(
                "KUBERNETES_SERVICE_HOST",
                "127.0.0.1",
                "KUBERNETES_SERVICE_PORT",
                Integer.toString(server.getAddress().getPort()));
        return KubernetesPods.of(environment, account, "app=counters,tier in (a)", 7001);
    }

    @Test
    void itReturnsTheRunningPods() throws Exception {
        assertEquals(List.of("10.1.0.4:7001", "[fd00:0:0:0:0:0:0:5]:7001"), pods().call());
        assertEquals(
                List.of("/api/v1/namespaces/shop/pods?labelSelector=app%3Dcounters%2Ctier+in+%28a%29 Bearer abc"),
                requests);
    }

    @Test
    void aNewTokenIsUsedAtOnce() throws Exception {
        KubernetesPods pods = pods();
        pods.call();
        Files.writeString(account.resolve("token"), "def");
        pods.call();
        assertTrue(requests.getLast().endsWith("Bearer def"), requests::toString);
    }

    @Test
    void aMissingRoleIsReported() {
        status = 403;
        String message = assertThrows(IOException.class, pods()::call).getMessage();
        assertTrue(message.contains("403") && message.contains("\"list\" for \"pods\""), message);
    }

    @Test
    void anUnknownCertificateIsRefused() throws Exception {
        createKeys("other.p12"); // its certificate replaces that of the server
        assertThrows(SSLHandshakeException.class, pods()::call);
        assertEquals(List.of(), requests);
    }

    @Test
    void outsideAPodTheVariablesAreMissing() {
        String message = assertThrows(
                        IllegalStateException.class, () -> KubernetesPods.of(Map.of(), account, "app=a", 7001))
                .getMessage();
        assertTrue(message.contains("KUBERNETES_SERVICE_HOST"), message);
    }
}
