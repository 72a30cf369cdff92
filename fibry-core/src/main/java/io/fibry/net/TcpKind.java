package io.fibry.net;

/** The kinds of servers that accept TCP connections. */
enum TcpKind {
    SOCKETS("tcp", 0),
    LINES("lines", 0),
    FORWARDER("forwarder", 1_000_000_000);

    private final String label;
    private final long quietNanos;

    TcpKind(String label, long quietNanos) {
        this.label = label;
        this.quietNanos = quietNanos;
    }

    /** The label of a server of this kind without a name; its port is appended. */
    String label() {
        return label;
    }

    /** The {@link ConnectionActivity.Drain#quietNanos} of its connections. */
    long quietNanos() {
        return quietNanos;
    }
}
