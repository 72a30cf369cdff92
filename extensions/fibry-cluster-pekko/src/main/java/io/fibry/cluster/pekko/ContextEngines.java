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

/** Mutual TLS with the context of the program. The client checks that the certificate is valid for the host that it wanted. */
final class ContextEngines implements SSLEngineProvider {

    private static final String[] PROTOCOLS = {"TLSv1.3"};

    private final SSLContext context;
    private final Set<SSLEngine> inHandshake = ConcurrentHashMap.newKeySet();
    private final AtomicLong rejected = new AtomicLong();

    ContextEngines(SSLContext context) {
        this.context = context;
    }

    /** How many connections from other nodes have ended before their handshake had succeeded. */
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
            return false; // not yet, or never
        }
    }

    @Override
    public SSLEngine createServerSSLEngine(String host, int port) {
        SSLEngine engine = context.createSSLEngine(host, port);
        engine.setUseClientMode(false);
        engine.setEnabledProtocols(PROTOCOLS);
        engine.setNeedClientAuth(true);
        long unused = rejected(); // forgets those that are over
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
