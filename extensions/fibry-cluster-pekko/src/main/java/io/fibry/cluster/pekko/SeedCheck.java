package io.fibry.cluster.pekko;

import io.fibry.cluster.ClusterOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.apache.pekko.actor.Address;
import org.jspecify.annotations.Nullable;

/** Connects to the seeds once more after a failed join, and describes the result for each of them. */
final class SeedCheck {

    private static final int CONNECT_MILLIS = (int) Duration.ofSeconds(2).toMillis();

    /** The time for which the other side may reject the certificate of this node after the handshake. */
    private static final int REJECT_MILLIS = 500;

    private SeedCheck() {}

    /** Returns the description for an exception message. */
    static String of(ClusterOptions options) {
        return Seeds.of(options).addresses().stream()
                .filter(seed -> !isSelf(seed, options))
                .map(seed -> seed.hostPort().replaceFirst(".*@", "") + ": " + attempt(seed, options.tls()))
                .collect(Collectors.joining("; "));
    }

    private static boolean isSelf(Address seed, ClusterOptions options) {
        return seed.getHost().orElse("").equals(options.host())
                && seed.getPort().orElse(0) == options.port();
    }

    private static String attempt(Address seed, @Nullable SSLContext tls) {
        try (Socket socket = new Socket()) {
            String host = seed.getHost().orElseThrow();
            socket.connect(new InetSocketAddress(host, seed.getPort().orElse(0)), CONNECT_MILLIS);
            if (tls != null) {
                handshake(tls, socket, host);
            }
            return "can be reached";
        } catch (SSLException e) {
            return "TLS fails: " + innermost(e);
        } catch (IOException e) {
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
            int unused = socket.getInputStream().read(); // an alert of the other side is an exception here
        } catch (SocketTimeoutException e) {
            return; // it has accepted the certificate, and waits for data
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
