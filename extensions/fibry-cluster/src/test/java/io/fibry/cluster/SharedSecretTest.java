package io.fibry.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SharedSecretTest {

    private static final String SECRET = "correct horse battery staple";

    /** Returns the byte that the server has received, after the server has sent one to the client. */
    private static int exchange(SSLContext server, SSLContext client) throws Exception {
        try (var listening = (SSLServerSocket)
                server.getServerSocketFactory().createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            listening.setNeedClientAuth(true);
            var received = CompletableFuture.supplyAsync(() -> {
                try (var accepted = (SSLSocket) listening.accept()) {
                    int value = accepted.getInputStream().read();
                    accepted.getOutputStream().write(1);
                    return value;
                } catch (IOException e) {
                    return -2;
                }
            });
            try (var socket = (SSLSocket)
                    client.getSocketFactory().createSocket(listening.getInetAddress(), listening.getLocalPort())) {
                socket.setEnabledProtocols(new String[] {"TLSv1.3"});
                socket.getOutputStream().write(42);
                assertEquals(1, socket.getInputStream().read());
            }
            return received.join();
        }
    }

    @Test
    void nodesWithTheSameSecretAcceptEachOther() throws Exception {
        assertEquals(42, exchange(SharedSecret.context(SECRET), SharedSecret.context(SECRET)));
    }

    @Test
    void aClientWithAnotherSecretIsRefused() {
        SSLContext other = SharedSecret.context(SECRET + "r");
        assertThrows(IOException.class, () -> exchange(SharedSecret.context(SECRET), other));
    }

    /** The client of this test accepts any server. */
    @Test
    void aClientWithoutACertificateIsRefused() throws Exception {
        SSLContext naive = SSLContext.getInstance("TLS");
        naive.init(null, new TrustManager[] {new AcceptAll()}, null);
        assertThrows(IOException.class, () -> exchange(SharedSecret.context(SECRET), naive));
    }

    @Test
    void aServerWithAnotherSecretIsRefused() {
        SSLContext other = SharedSecret.context("an entirely different secret");
        SSLException failure = assertThrows(SSLException.class, () -> exchange(other, SharedSecret.context(SECRET)));
        assertTrue(failure.toString().contains("does not have the secret"), failure.toString());
    }

    @Test
    void aShortSecretIsRefused() {
        ClusterOptions options = ClusterOptions.of("shop", "127.0.0.1", 7001, "127.0.0.1:7001");
        String message = assertThrows(IllegalArgumentException.class, () -> options.secret("x".repeat(19)))
                .getMessage();
        assertEquals("a secret must have at least 20 characters, not 19", message);
    }

    private static final class AcceptAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
