package io.fibry.cluster.pekko;

import io.fibry.cluster.ClusterOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.apache.pekko.actor.Address;
import org.jspecify.annotations.Nullable;

/** Connects to the contact nodes once more after a failed join, and describes the result for each node, within 4 s. */
final class SeedCheck {

    private static final int CONNECT_MILLIS = (int) Duration.ofSeconds(2).toMillis();
    private static final int LIMIT_MILLIS = 2 * CONNECT_MILLIS;

    /** The time for which the other side may reject the certificate of this node after the handshake. */
    private static final int REJECT_MILLIS = 500;

    private SeedCheck() {}

    /** Returns the description for an exception message. */
    static String of(Collection<Address> contacts, ClusterOptions options) {
        String self = options.host() + ":" + options.port();
        List<CompletableFuture<String>> attempts = contacts.stream()
                .filter(node -> !Formation.text(node).equals(self))
                .map(node -> CompletableFuture.supplyAsync(
                                () -> attempt(node, options.tls()), Thread::startVirtualThread)
                        .completeOnTimeout("does not answer", LIMIT_MILLIS, TimeUnit.MILLISECONDS)
                        .thenApply(result -> Formation.text(node) + ": " + result))
                .toList();
        return attempts.stream().map(CompletableFuture::join).collect(Collectors.joining("; "));
    }

    private static String attempt(Address node, @Nullable SSLContext tls) {
        try (Socket socket = new Socket()) {
            String host = node.getHost().orElseThrow();
            socket.connect(new InetSocketAddress(host, node.getPort().orElse(0)), CONNECT_MILLIS);
            if (tls != null) {
                handshake(tls, socket, host);
            }
            return "can be reached";
        } catch (SSLException e) {
            return "TLS fails: " + innermost(e);
        } catch (UnknownHostException e) {
            return "the address of the host is not known";
        } catch (IOException | RuntimeException e) { // the description must not replace the failure to join
            return Objects.requireNonNullElse(e.getMessage(), e.toString());
        }
    }

    private static void handshake(SSLContext tls, Socket plain, String host) throws IOException {
        try (var socket = (SSLSocket) tls.getSocketFactory().createSocket(plain, host, plain.getPort(), true)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
            socket.setSoTimeout(CONNECT_MILLIS);
            socket.startHandshake();
            socket.setSoTimeout(REJECT_MILLIS);
            awaitRejection(socket);
        }
    }

    /** Throws an exception if the other side rejects the certificate. It otherwise waits for data. */
    private static void awaitRejection(SSLSocket socket) throws IOException {
        try {
            int unused = socket.getInputStream().read();
        } catch (SocketTimeoutException e) {
            return;
        }
    }

    private static String innermost(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return Objects.requireNonNullElse(cause.getMessage(), cause.toString());
    }
}
