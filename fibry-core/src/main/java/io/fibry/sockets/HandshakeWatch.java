package io.fibry.sockets;

import java.security.KeyManagementException;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * An {@link SSLContext} that reports the failed handshakes of its engines. The JDK's HTTP server catches the exception
 * of a failed handshake and closes the connection. It has no listener for handshakes, but calls the methods of the
 * {@link SSLEngine}.
 *
 * <p>Sockets made by the context are not watched: their handshake is a call that the server makes itself.
 */
public final class HandshakeWatch {

    /** Is notified once for each handshake that fails, by the thread that runs it. */
    @FunctionalInterface
    public interface Listener {

        /**
         * A handshake has failed.
         *
         * @param client the host name or address and the port of the client
         * @param cause an {@link javax.net.ssl.SSLException}, or an unchecked exception, for instance of a key manager
         */
        void failed(String client, Exception cause);
    }

    private HandshakeWatch() {}

    /** Returns a context with the keys, the sessions and the parameters of the given one. */
    public static SSLContext of(SSLContext context, Listener listener) {
        return new Context(context, listener);
    }

    private static final class Context extends SSLContext {
        Context(SSLContext context, Listener listener) {
            super(new Spi(context, listener), context.getProvider(), context.getProtocol());
        }
    }

    private static final class Spi extends SSLContextSpi {
        private final SSLContext context;
        private final Listener listener;

        Spi(SSLContext context, Listener listener) {
            this.context = context;
            this.listener = listener;
        }

        @Override
        protected void engineInit(
                KeyManager @Nullable [] keys, TrustManager @Nullable [] trust, @Nullable SecureRandom random)
                throws KeyManagementException {
            context.init(keys, trust, random);
        }

        @Override
        protected SSLEngine engineCreateSSLEngine() {
            return new WatchedEngine(context.createSSLEngine(), listener);
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(String host, int port) {
            return new WatchedEngine(context.createSSLEngine(host, port), listener);
        }

        @Override
        protected SSLSocketFactory engineGetSocketFactory() {
            return context.getSocketFactory();
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            return context.getServerSocketFactory();
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext() {
            return context.getServerSessionContext();
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext() {
            return context.getClientSessionContext();
        }

        @Override
        protected SSLParameters engineGetDefaultSSLParameters() {
            return context.getDefaultSSLParameters();
        }

        @Override
        protected SSLParameters engineGetSupportedSSLParameters() {
            return context.getSupportedSSLParameters();
        }
    }
}
