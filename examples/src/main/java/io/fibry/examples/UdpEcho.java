package io.fibry.examples;

import io.fibry.net.UdpOptions;
import io.fibry.net.UdpServer;
import io.fibry.stereotypes.Stereotypes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;

/**
 * Returns each datagram to its sender. The arguments are the port and, optionally, a multicast group and a network
 * interface.
 */
public final class UdpEcho {

    private UdpEcho() {}

    public static void main(String[] args) throws IOException {
        var options = UdpOptions.defaults();
        if (args.length > 2) {
            NetworkInterface on = NetworkInterface.getByName(args[2]);
            if (on == null) {
                throw new IllegalArgumentException("there is no network interface " + args[2]);
            }
            options = options.group(InetAddress.getByName(args[1]), on);
        }
        UdpServer server = start(args.length > 0 ? Integer.parseInt(args[0]) : 8080, options);
        System.out.println("Connect with: nc -u localhost " + server.port() + ". Press Ctrl-C to stop.");
    }

    static UdpServer start(int port, UdpOptions options) {
        return Stereotypes.def()
                .udpServer(
                        port,
                        (datagram, server) -> server.send(datagram.getData(), datagram.getSocketAddress()),
                        options);
    }
}
