package io.fibry.examples;

import io.fibry.net.TcpAcceptor;
import io.fibry.stereotypes.Stereotypes;

/** A minimal web server on plain sockets, for load tests with "ab". Arguments: the port, and "fibers" or "threads". */
public final class TcpHello {

    private TcpHello() {}

    public static void main(String[] args) {
        int port = args.length > 0 ? Integer.parseInt(args[0]) : 8080;
        boolean threads = args.length > 1 && args[1].equals("threads");
        TcpAcceptor server = start(port, threads ? Stereotypes.threads() : Stereotypes.fibers());
        System.out.println("Listening on http://localhost:" + server.port() + "/. Press Ctrl-C to stop.");
    }

    /** Starts the server. Each connection has its own actor, which may block and reads byte by byte. */
    @SuppressWarnings("DefaultCharset") // the article's handler, unchanged
    public static TcpAcceptor start(int port, Stereotypes stereotypes) {
        return stereotypes.tcpAcceptor(port, conn -> {
            try (var is = conn.getInputStream();
                    var os = conn.getOutputStream()) {
                while (is.read() != '\n' || is.read() != '\r' || is.read() != '\n') {
                    /* skip to the end of the request */
                }
                os.write(("HTTP/1.1 200 OK\r\n" + "Content-Length: 6\r\n\r\nHello!").getBytes());
            }
        });
    }
}
