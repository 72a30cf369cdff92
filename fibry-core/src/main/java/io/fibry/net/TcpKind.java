package io.fibry.net;

/** The kinds of servers that accept TCP connections. */
enum TcpKind {
    SOCKETS("tcp", 0, 1),
    LINES("lines", 0, 1),
    FORWARDER("forwarder", 1_000_000_000, 2);

    private final String label;
    private final long quietNanos;
    private final int descriptors;

    TcpKind(String label, long quietNanos, int descriptors) {
        this.label = label;
        this.quietNanos = quietNanos;
        this.descriptors = descriptors;
    }

    /** The label of a server of this kind without a name; its port is appended. */
    String label() {
        return label;
    }

    /** The {@link ConnectionActivity.Drain#quietNanos} of its connections. */
    long quietNanos() {
        return quietNanos;
    }

    /** The descriptors of the operating system that one of its connections takes. */
    int descriptors() {
        return descriptors;
    }
}
