package io.fibry.net;

import io.fibry.sockets.Checks;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link UdpServer} listens, and what it allows its clients. Immutable.
 *
 * @param bindAddress the local address to listen on, or null for all
 * @param group the multicast group to join, or null for none
 * @param groupInterface the network interface to join the group on, and to send to groups by; set if there is a group
 * @param maxLength how many bytes a datagram may have; a longer one is dropped
 * @param maxPending how many datagrams may wait to be handled; further ones are dropped
 */
public record UdpOptions(
        @Nullable InetAddress bindAddress,
        @Nullable InetAddress group,
        @Nullable NetworkInterface groupInterface,
        int maxLength,
        int maxPending) {

    private static final UdpOptions DEFAULTS = builder().build();

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a number is not positive, or the group is no multicast address
     */
    public UdpOptions {
        Checks.checkPositive("maxLength", maxLength);
        Checks.checkPositive("maxPending", maxPending);
        if (group != null) {
            Objects.requireNonNull(groupInterface, "groupInterface");
            if (!group.isMulticastAddress()) {
                throw new IllegalArgumentException(group.getHostAddress()
                        + " is not the address of a multicast group; IPv4 has them from 224.0.0.0 to 239.255.255.255");
            }
        }
    }

    /** All local addresses, no group, datagrams of at most 8 KB, of which at most 1,000 wait. */
    public static UdpOptions defaults() {
        return DEFAULTS;
    }

    /** A builder that starts with the {@linkplain #defaults() defaults}. */
    public static Builder builder() {
        return new Builder();
    }

    /** Makes options; see {@link UdpOptions} for what they mean. Not for use by several threads at once. */
    public static final class Builder {

        private @Nullable InetAddress bindAddress;
        private @Nullable InetAddress group;
        private @Nullable NetworkInterface groupInterface;
        private int maxLength = 8 * 1024;
        private int maxPending = 1000;

        private Builder() {}

        /** The local address to listen on, or null for all. */
        public Builder bindAddress(@Nullable InetAddress address) {
            bindAddress = address;
            return this;
        }

        /** The multicast group to join, and the network interface to do that on. */
        public Builder group(InetAddress address, NetworkInterface on) {
            group = Objects.requireNonNull(address, "address");
            groupInterface = Objects.requireNonNull(on, "on");
            return this;
        }

        /** How many bytes a datagram may have. */
        public Builder maxLength(int bytes) {
            maxLength = bytes;
            return this;
        }

        /** How many datagrams may wait to be handled. */
        public Builder maxPending(int datagrams) {
            maxPending = datagrams;
            return this;
        }

        /**
         * The options.
         *
         * @throws IllegalArgumentException if a number is not positive, or the group is no multicast address
         */
        public UdpOptions build() {
            return new UdpOptions(bindAddress, group, groupInterface, maxLength, maxPending);
        }
    }
}
