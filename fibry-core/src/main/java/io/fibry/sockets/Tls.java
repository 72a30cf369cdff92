package io.fibry.sockets;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** The server side of TLS 1.2 and 1.3. */
public final class Tls {

    private static final Set<String> VERSIONS = Set.of("TLSv1.2", "TLSv1.3");

    private final SSLSocketFactory factory;
    private final SSLParameters parameters; // not modified any more

    public Tls(SSLContext context, @Nullable Consumer<? super SSLParameters> change) {
        factory = context.getSocketFactory();
        parameters = parameters(context, change);
    }

    /**
     * The default parameters of the context with the versions 1.2 and 1.3, as far as it enables them, and with the
     * change.
     *
     * @throws IllegalArgumentException if it supports neither version, or if the change enables an older one
     */
    public static SSLParameters parameters(SSLContext context, @Nullable Consumer<? super SSLParameters> change) {
        SSLParameters parameters = context.getDefaultSSLParameters();
        parameters.setProtocols(versions(parameters));
        if (change != null) {
            change.accept(parameters);
        }
        if (!VERSIONS.containsAll(Arrays.asList(parameters.getProtocols()))) {
            throw new IllegalArgumentException("tlsParameters has enabled " + Arrays.toString(parameters.getProtocols())
                    + "; only TLSv1.2 and TLSv1.3 are allowed");
        }
        return parameters;
    }

    private static String[] versions(SSLParameters parameters) {
        String[] versions = Arrays.stream(parameters.getProtocols())
                .filter(VERSIONS::contains)
                .toArray(String[]::new);
        if (versions.length == 0) {
            throw new IllegalArgumentException("the SSLContext supports neither TLS 1.2 nor 1.3; use one made by "
                    + "SSLContext.getInstance(\"TLS\")");
        }
        return versions;
    }

    /** Encrypts an accepted connection. Blocks until the handshake with the client is complete. */
    public Socket handshake(Socket plain) throws IOException {
        var socket = (SSLSocket) factory.createSocket(plain, (@Nullable InputStream) null, true);
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        refuseRenegotiation(socket);
        return socket;
    }

    /**
     * Lets further handshakes fail. A renegotiation costs the server more than the client, and clients may repeat it.
     * Without cipher suites there is nothing to negotiate; the suite in use stays. TLS 1.3 has no renegotiation.
     */
    private static void refuseRenegotiation(SSLSocket socket) {
        if (!socket.getSession().getProtocol().equals("TLSv1.3")) {
            socket.setEnabledCipherSuites(new String[0]);
        }
    }
}
