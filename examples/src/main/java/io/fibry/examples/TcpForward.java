package io.fibry.examples;

import io.fibry.net.TcpAcceptor;
import io.fibry.net.TcpOptions;
import io.fibry.stereotypes.Stereotypes;
import java.net.InetSocketAddress;
import java.time.Duration;

/** Forwards a TCP port. The arguments are the port to listen on, and the host and port of the target. */
public final class TcpForward {

    private TcpForward() {}

    public static void main(String[] args) {
        int port = args.length > 0 ? Integer.parseInt(args[0]) : 8081;
        String host = args.length > 1 ? args[1] : "localhost";
        int targetPort = args.length > 2 ? Integer.parseInt(args[2]) : 8080;
        TcpAcceptor forwarder = start(port, InetSocketAddress.createUnresolved(host, targetPort));
        System.out.println("Forwarding to " + host + ":" + targetPort + ". Listening on localhost:" + forwarder.port()
                + ". Press Ctrl-C to stop.");
    }

    static TcpAcceptor start(int port, InetSocketAddress target) {
        var options = TcpOptions.defaults().maxConnections(1000).idleTimeout(Duration.ofMinutes(5));
        return Stereotypes.def().tcpForwarder(port, target, options);
    }
}
