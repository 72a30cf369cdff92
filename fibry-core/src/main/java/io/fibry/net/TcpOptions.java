package io.fibry.net;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link TcpAcceptor} listens. Immutable.
 *
 * @param bindAddress the local address to listen on, or null for all
 * @param backlog how many clients the operating system holds while they wait to be accepted; it may hold fewer
 * @param maxConnections how many connections are handled at a time; while there are so many, no other is accepted
 */
public record TcpOptions(@Nullable InetAddress bindAddress, int backlog, int maxConnections) {

    private static final TcpOptions DEFAULTS = new TcpOptions(null, 1024, 10_000);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one of the numbers is not positive
     */
    public TcpOptions {
        checkPositive("backlog", backlog);
        checkPositive("maxConnections", maxConnections);
    }

    /** All local addresses, a backlog of 1024, at most 10,000 connections. */
    public static TcpOptions defaults() {
        return DEFAULTS;
    }

    /** A builder that starts with the {@linkplain #defaults() defaults}. */
    public static Builder builder() {
        return new Builder();
    }

    private static void checkPositive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " has to be at least 1, and this one is " + value);
        }
    }

    /** Makes options. Not for use by several threads at once. */
    public static final class Builder {

        private @Nullable InetAddress bindAddress = DEFAULTS.bindAddress;
        private int backlog = DEFAULTS.backlog;
        private int maxConnections = DEFAULTS.maxConnections;

        private Builder() {}

        /** The local address to listen on, or null for all. */
        public Builder bindAddress(@Nullable InetAddress address) {
            bindAddress = address;
            return this;
        }

        /** How many clients the operating system holds while they wait to be accepted. */
        public Builder backlog(int clients) {
            backlog = clients;
            return this;
        }

        /** How many connections are handled at a time. */
        public Builder maxConnections(int connections) {
            maxConnections = connections;
            return this;
        }

        /**
         * The options.
         *
         * @throws IllegalArgumentException if one of the numbers is not positive
         */
        public TcpOptions build() {
            return new TcpOptions(bindAddress, backlog, maxConnections);
        }
    }
}
