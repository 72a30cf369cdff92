package io.fibry.cluster.pekko;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.apache.pekko.remote.artery.tcp.SSLEngineProvider;
import scala.Option;

/**
 * Mutual TLS with the program's {@code SSLContext}. The client verifies that the certificate is valid for the requested
 * host.
 */
final class ContextEngines implements SSLEngineProvider {

    private static final String[] PROTOCOLS = {"TLSv1.3"};

    private final SSLContext context;
    private final Set<SSLEngine> inHandshake = ConcurrentHashMap.newKeySet();
    private final AtomicLong rejected = new AtomicLong();

    ContextEngines(SSLContext context) {
        this.context = context;
    }

    /** Returns the number of incoming connections that have ended before a successful handshake. */
    long rejected() {
        for (SSLEngine engine : List.copyOf(inHandshake)) {
            boolean succeeded = knowsPeer(engine);
            boolean over = engine.isInboundDone() || engine.isOutboundDone();
            if ((over || succeeded) && inHandshake.remove(engine) && !succeeded) { // removed once, so counted once
                rejected.incrementAndGet();
            }
        }
        return rejected.get();
    }

    private static boolean knowsPeer(SSLEngine engine) {
        try {
            return engine.getSession().getPeerCertificates().length > 0;
        } catch (SSLPeerUnverifiedException e) {
            return false; // the handshake is not complete, or has failed
        }
    }

    @Override
    public SSLEngine createServerSSLEngine(String host, int port) {
        SSLEngine engine = context.createSSLEngine(host, port);
        engine.setUseClientMode(false);
        engine.setEnabledProtocols(PROTOCOLS);
        engine.setNeedClientAuth(true);
        long unused = rejected(); // removes the engines whose handshake is over
        inHandshake.add(engine);
        return engine;
    }

    @Override
    public SSLEngine createClientSSLEngine(String host, int port) {
        SSLEngine engine = context.createSSLEngine(host, port);
        engine.setUseClientMode(true);
        engine.setEnabledProtocols(PROTOCOLS);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        engine.setSSLParameters(parameters);
        return engine;
    }

    @Override
    public Option<Throwable> verifyClientSession(String host, SSLSession session) {
        return Option.empty();
    }

    @Override
    public Option<Throwable> verifyServerSession(String host, SSLSession session) {
        return Option.empty();
    }
}
