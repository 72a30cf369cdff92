package io.fibry.net;

import io.fibry.sockets.Checks;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The address and the limits of a {@link UdpServer}. Immutable: each method with a parameter returns new options, and
 * the method of the same name without a parameter returns the value. {@link #groupInterface()} returns the second value
 * of {@link #group(InetAddress, NetworkInterface)}.
 */
public final class UdpOptions {

    private static final UdpOptions DEFAULTS = new UdpOptions(new Values());

    /** Not modified any more once the constructor has been called. */
    private final Values values;

    private UdpOptions(Values values) {
        this.values = values;
    }

    /**
     * Returns the defaults: all local addresses, no group, datagrams of at most 8 KiB, and at most 1,000 waiting
     * datagrams.
     */
    public static UdpOptions defaults() {
        return DEFAULTS;
    }

    private UdpOptions with(Consumer<Values> change) {
        var copy = new Values(values);
        change.accept(copy);
        return new UdpOptions(copy);
    }

    /** Sets the local address to listen on, or null for all. */
    public UdpOptions bindAddress(@Nullable InetAddress address) {
        return with(v -> v.bindAddress = address);
    }

    /**
     * Sets the multicast group to join, and the network interface for joining it and for sending to groups.
     *
     * @throws IllegalArgumentException if the address is not a multicast address
     */
    public UdpOptions group(InetAddress address, NetworkInterface on) {
        Objects.requireNonNull(on, "on");
        if (!address.isMulticastAddress()) {
            throw new IllegalArgumentException(address.getHostAddress()
                    + " is not a multicast address; for IPv4 these are 224.0.0.0 to 239.255.255.255");
        }
        return with(v -> {
            v.group = address;
            v.groupInterface = on;
        });
    }

    /**
     * Limits the length of a datagram, in bytes. A longer datagram is dropped and counted.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public UdpOptions maxMessageBytes(int bytes) {
        Checks.checkPositive("maxMessageBytes", bytes);
        return with(v -> v.maxMessageBytes = bytes);
    }

    /**
     * Limits the number of datagrams that wait to be handled. Further datagrams are dropped and counted.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public UdpOptions maxPending(int datagrams) {
        Checks.checkPositive("maxPending", datagrams);
        return with(v -> v.maxPending = datagrams);
    }

    // ---- the values

    public @Nullable InetAddress bindAddress() {
        return values.bindAddress;
    }

    public @Nullable InetAddress group() {
        return values.group;
    }

    public @Nullable NetworkInterface groupInterface() {
        return values.groupInterface;
    }

    public int maxMessageBytes() {
        return values.maxMessageBytes;
    }

    public int maxPending() {
        return values.maxPending;
    }

    private static final class Values {
        @Nullable
        InetAddress bindAddress;

        @Nullable
        InetAddress group;

        @Nullable
        NetworkInterface groupInterface;

        int maxMessageBytes = 8 * 1024;
        int maxPending = 1000;

        Values() {}

        Values(Values from) {
            bindAddress = from.bindAddress;
            group = from.group;
            groupInterface = from.groupInterface;
            maxMessageBytes = from.maxMessageBytes;
            maxPending = from.maxPending;
        }
    }
}
