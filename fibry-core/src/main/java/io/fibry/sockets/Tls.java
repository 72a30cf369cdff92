package io.fibry.sockets;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** The server side of TLS 1.2 and 1.3. */
public final class Tls {

    private static final Set<String> VERSIONS = Set.of("TLSv1.2", "TLSv1.3");

    private final SSLSocketFactory factory;
    private final String[] versions;

    public Tls(SSLContext context) {
        factory = context.getSocketFactory();
        versions = versions(context);
    }

    /** The versions 1.2 and 1.3, as far as the context enables them by default. */
    public static String[] versions(SSLContext context) {
        String[] versions = Arrays.stream(context.getDefaultSSLParameters().getProtocols())
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
        socket.setEnabledProtocols(versions);
        socket.startHandshake();
        refuseRenegotiation(socket);
        return socket;
    }

    /**
     * Lets further handshakes fail. A renegotiation costs the server more than the client, and clients may repeat it. Without cipher
     * suites there is nothing to negotiate; the suite in use stays. TLS 1.3 has no renegotiation.
     */
    private static void refuseRenegotiation(SSLSocket socket) {
        if (!socket.getSession().getProtocol().equals("TLSv1.3")) {
            socket.setEnabledCipherSuites(new String[0]);
        }
    }
}
