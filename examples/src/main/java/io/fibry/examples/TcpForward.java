package io.fibry.examples;

import io.fibry.net.TcpAcceptor;
import io.fibry.net.TcpOptions;
import io.fibry.stereotypes.Stereotypes;
import java.net.InetSocketAddress;
import java.time.Duration;

/** Forwards a TCP port: the arguments are the port, and the host and port of the server that does the work. */
public final class TcpForward {

    private TcpForward() {}

    public static void main(String[] args) {
        int port = args.length > 0 ? Integer.parseInt(args[0]) : 8081;
        String host = args.length > 1 ? args[1] : "localhost";
        int targetPort = args.length > 2 ? Integer.parseInt(args[2]) : 8080;
        TcpAcceptor forwarder = start(port, InetSocketAddress.createUnresolved(host, targetPort));
        System.out.println("localhost:" + forwarder.port() + " leads to " + host + ":" + targetPort
                + " until you stop me with Ctrl-C.");
    }

    static TcpAcceptor start(int port, InetSocketAddress target) {
        var options = TcpOptions.defaults().maxConnections(1000).idleTimeout(Duration.ofMinutes(5));
        return Stereotypes.def().tcpForwarder(port, target, options);
    }
}
