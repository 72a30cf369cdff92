package io.fibry.cluster;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a cluster node. Immutable: each method with a parameter returns a new configuration, and the
 * method of the same name without a parameter returns the value. All nodes need the same values, except for host and
 * port.
 */
public final class ClusterOptions {

    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9_-]*");

    /** Not modified after the constructor. */
    private final Values values;

    private ClusterOptions(Values values) {
        this.values = values;
    }

    /**
     * Creates a configuration with seeds, as {@link Discovery#seeds}.
     *
     * @param name the name of the cluster: letters, digits, {@code -} and {@code _}
     * @param host the host name or address at which this node listens and other nodes reach it
     * @param port its port
     * @param seeds the initial contact nodes, as {@code host:port}; the same list on all nodes. If there is no cluster,
     *     a majority of the seeds forms it. Use three seeds, or one in a cluster of one node
     * @throws IllegalArgumentException if an argument is not valid
     */
    public static ClusterOptions of(String name, String host, int port, String... seeds) {
        return of(name, host, port, Discovery.seeds(seeds));
    }

    /**
     * Creates a configuration.
     *
     * @param name the name of the cluster: letters, digits, {@code -} and {@code _}
     * @param host the host name or address at which this node listens and other nodes reach it
     * @param port its port
     * @param discovery the way in which the nodes find each other
     * @throws IllegalArgumentException if an argument is not valid
     */
    public static ClusterOptions of(String name, String host, int port, Discovery discovery) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "name must have letters, digits, - and _ only, and begin with a letter or digit, not \"" + name
                            + "\"");
        }
        if (host.isBlank()) {
            throw new IllegalArgumentException("host must not be empty");
        }
        NodeAddress.checkPort("port", port);
        Objects.requireNonNull(discovery, "discovery");
        return new ClusterOptions(new Values(name, NodeAddress.host(host), port, discovery));
    }

    private ClusterOptions with(Consumer<Values> change) {
        var copy = new Values(values);
        change.accept(copy);
        return new ClusterOptions(copy);
    }

    /**
     * Sets the certificates of this node and of the authority that it trusts. All connections are then encrypted and
     * mutually authenticated. The certificate of a node must be valid for its host.
     */
    public ClusterOptions tls(SSLContext context) {
        Objects.requireNonNull(context, "context");
        return with(v -> v.tls = context);
    }

    /**
     * Encrypts all connections with TLS, and authenticates the nodes by a secret that all of them have. Use it instead
     * of {@link #tls} if there is no certificate authority. The secret must be random, for instance the output of
     * {@code openssl rand -hex 32}; all nodes have to be restarted at once to change it.
     *
     * @throws IllegalArgumentException if the secret has fewer than 20 characters
     */
    public ClusterOptions secret(String secret) {
        if (secret.length() < SharedSecret.SHORTEST) {
            throw new IllegalArgumentException(
                    "a secret must have at least " + SharedSecret.SHORTEST + " characters, not " + secret.length());
        }
        return tls(SharedSecret.context(secret));
    }

    /**
     * Allows connections without TLS on an address that other machines can reach. Every client that reaches the port
     * can then read and send all messages. Use it in private networks only.
     */
    public ClusterOptions insecure(boolean allowed) {
        return with(v -> v.insecure = allowed);
    }

    /**
     * Sets the address to listen on, if it differs from the address that other nodes use, for instance in a container.
     */
    public ClusterOptions bind(String host, int port) {
        Objects.requireNonNull(host, "host");
        NodeAddress.checkPort("port", port);
        return with(v -> {
            v.bindHost = host;
            v.bindPort = port;
        });
    }

    /** Sets the failure detection and takeover time. The default is {@link Failover#DEFAULT}. */
    public ClusterOptions failover(Failover failover) {
        Objects.requireNonNull(failover, "failover");
        return with(v -> v.failover = failover);
    }

    /**
     * Sets the number of shards into which the keys of a type are partitioned. A shard moves as a whole. About ten per
     * node suffice; the default is 60. All nodes must have the same number, and it cannot be changed in a running
     * cluster.
     *
     * @throws IllegalArgumentException if the number is not from 1 to 10,000
     */
    public ClusterOptions shards(int shards) {
        if (shards < 1 || shards > 10_000) {
            throw new IllegalArgumentException("shards must be from 1 to 10000, not " + shards);
        }
        return with(v -> v.shards = shards);
    }

    /**
     * Sets the time in which moving entities may handle their accepted messages. Then these are discarded, and one
     * second later running handlers are interrupted. The default is 5 seconds.
     *
     * @throws IllegalArgumentException if the time is not positive, or more than 5 minutes
     */
    public ClusterOptions drain(Duration drain) {
        checkPositive("drain", drain);
        if (drain.compareTo(Duration.ofMinutes(5)) > 0) {
            throw new IllegalArgumentException("drain must be at most 5 minutes, not " + drain);
        }
        return with(v -> v.drain = drain);
    }

    /**
     * Sets the maximum size of an encoded message. The default is 256 KiB. Each connection allocates buffers of this
     * size.
     *
     * @throws IllegalArgumentException if the size is not from 1 KiB to 16 MiB
     */
    public ClusterOptions maxMessageBytes(int bytes) {
        if (bytes < 1 << 10 || bytes > 16 << 20) {
            throw new IllegalArgumentException("maxMessageBytes must be from 1 KiB to 16 MiB, not " + bytes + " bytes");
        }
        return with(v -> v.maxMessageBytes = bytes);
    }

    /**
     * Sets the timeout of {@link ClusterSystem#join}. The default is 30 seconds.
     *
     * @throws IllegalArgumentException if the time is not positive
     */
    public ClusterOptions joinTimeout(Duration timeout) {
        checkPositive("joinTimeout", timeout);
        return with(v -> v.joinTimeout = timeout);
    }

    /**
     * Sets whether this node leaves the cluster when the JVM ends, for instance after SIGTERM. The default is true. If
     * false, the program calls {@link ClusterSystem#close()} itself: a container such as Spring closes the node after
     * the web server, which still answers requests with its entities. Without that call, the other nodes remove this
     * node as a failed one.
     */
    public ClusterOptions leaveAtExit(boolean leave) {
        return with(v -> v.leaveAtExit = leave);
    }

    public String name() {
        return values.name;
    }

    public String host() {
        return values.host;
    }

    public int port() {
        return values.port;
    }

    public Discovery discovery() {
        return values.discovery;
    }

    public @Nullable SSLContext tls() {
        return values.tls;
    }

    public boolean insecure() {
        return values.insecure;
    }

    public String bindHost() {
        return Objects.requireNonNullElse(values.bindHost, values.host);
    }

    public int bindPort() {
        return values.bindPort == 0 ? values.port : values.bindPort;
    }

    public Failover failover() {
        return values.failover;
    }

    public int shards() {
        return values.shards;
    }

    public Duration drain() {
        return values.drain;
    }

    public int maxMessageBytes() {
        return values.maxMessageBytes;
    }

    public Duration joinTimeout() {
        return values.joinTimeout;
    }

    public boolean leaveAtExit() {
        return values.leaveAtExit;
    }

    /**
     * Checks that other machines cannot reach this node without TLS, unless {@link #insecure} allows it.
     *
     * @throws IllegalArgumentException if they can
     */
    public void checkSecurity() {
        if (values.tls == null && !values.insecure && !(isLoopback(host()) && isLoopback(bindHost()))) {
            throw new IllegalArgumentException("other machines can reach " + bindHost() + ":" + bindPort()
                    + ", so the cluster needs TLS: set tls(context) or secret(text). In a network that is closed"
                    + " to others, set insecure(true)");
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("the address of host " + host + " is not known", e);
        }
    }

    private static void checkPositive(String name, Duration value) {
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException(name + " must be positive, not " + value);
        }
    }

    private static final class Values {
        final String name;
        final String host;
        final int port;
        final Discovery discovery;

        @Nullable
        SSLContext tls;

        boolean insecure;
        boolean leaveAtExit = true;

        @Nullable
        String bindHost;

        int bindPort;
        Failover failover = Failover.DEFAULT;
        int shards = 60;
        int maxMessageBytes = 256 << 10;
        Duration drain = Duration.ofSeconds(5);
        Duration joinTimeout = Duration.ofSeconds(30);

        Values(String name, String host, int port, Discovery discovery) {
            this.name = name;
            this.host = host;
            this.port = port;
            this.discovery = discovery;
        }

        Values(Values from) {
            this(from.name, from.host, from.port, from.discovery);
            tls = from.tls;
            insecure = from.insecure;
            leaveAtExit = from.leaveAtExit;
            bindHost = from.bindHost;
            bindPort = from.bindPort;
            failover = from.failover;
            shards = from.shards;
            maxMessageBytes = from.maxMessageBytes;
            drain = from.drain;
            joinTimeout = from.joinTimeout;
        }
    }
}
