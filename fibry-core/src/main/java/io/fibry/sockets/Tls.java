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

/** The server's side of TLS, in its versions 1.2 and 1.3. */
public final class Tls {

    private static final Set<String> VERSIONS = Set.of("TLSv1.2", "TLSv1.3");

    private final SSLSocketFactory factory;
    private final String[] versions;

    public Tls(SSLContext context) {
        factory = context.getSocketFactory();
        versions = versions(context);
    }

    /** Those versions that the context speaks by itself, and none that is older than 1.2. */
    public static String[] versions(SSLContext context) {
        String[] versions = Arrays.stream(context.getDefaultSSLParameters().getProtocols())
                .filter(VERSIONS::contains)
                .toArray(String[]::new);
        if (versions.length == 0) {
            throw new IllegalArgumentException("the SSLContext speaks neither TLS 1.2 nor 1.3; use one made by "
                    + "SSLContext.getInstance(\"TLS\")");
        }
        return versions;
    }

    /** Encrypts an accepted connection. Waits for the client's part of the handshake. */
    public Socket handshake(Socket plain) throws IOException {
        var socket = (SSLSocket) factory.createSocket(plain, (@Nullable InputStream) null, true);
        socket.setEnabledProtocols(versions);
        socket.startHandshake();
        return socket;
    }
}
