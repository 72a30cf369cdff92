package io.fibry.observer;

import io.fibry.dispatch.LogText;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The address, the rate of snapshots, the access rules and the further pages of an {@link Observer}. Immutable: each
 * method with a parameter returns new options, and the method of the same name without a parameter returns the value,
 * except for {@link #controlToken}, which is secret.
 */
public final class ObserverOptions {

    private static final int SHORTEST_TOKEN = 16;
    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);

    private static final ObserverOptions DEFAULTS = new ObserverOptions(
            InetAddress.getLoopbackAddress(), Set.of(), Duration.ofSeconds(1), null, null, List.of());

    private final @Nullable InetAddress bindAddress;
    private final Set<String> allowedHosts;
    private final Duration interval;
    private final @Nullable String controlToken;
    private final @Nullable SSLContext tls;
    private final List<ObserverPage> pages;

    private ObserverOptions(
            @Nullable InetAddress bindAddress,
            Set<String> allowedHosts,
            Duration interval,
            @Nullable String controlToken,
            @Nullable SSLContext tls,
            List<ObserverPage> pages) {
        this.bindAddress = bindAddress;
        this.allowedHosts = allowedHosts;
        this.interval = interval;
        this.controlToken = controlToken;
        this.tls = tls;
        this.pages = pages;
    }

    /** Returns the defaults: only on the loopback address, read-only, once a second, without TLS. */
    public static ObserverOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Sets the local address to listen on, or null for all. Every client that reaches the address sees the names and
     * stacks of all actors: allow only a proxy that requires a password to reach it.
     */
    public ObserverOptions bindAddress(@Nullable InetAddress address) {
        return new ObserverOptions(address, allowedHosts, interval, controlToken, tls, pages);
    }

    /**
     * Sets the host names, without a port, by which browsers may request the page, in addition to {@code localhost} and
     * the address that they connect to. Requests with another {@code Host} get the status 421, because they may come
     * from a foreign page whose host name resolves to this server (DNS rebinding).
     *
     * @throws IllegalArgumentException if a name is blank or has a port
     */
    public ObserverOptions allowedHosts(Set<String> names) {
        for (String name : names) {
            if (name.isBlank() || name.lastIndexOf(':') > name.lastIndexOf(']')) {
                throw new IllegalArgumentException(
                        "\"" + LogText.plain(name) + "\" is not the name of a host without its port");
            }
        }
        return new ObserverOptions(bindAddress, Set.copyOf(names), interval, controlToken, tls, pages);
    }

    /**
     * Sets the time between two snapshots of an open page. The time is longer if a snapshot takes more than a tenth of
     * it.
     *
     * @throws IllegalArgumentException if it is shorter than 0.1 seconds
     */
    public ObserverOptions interval(Duration interval) {
        if (interval.compareTo(SHORTEST_INTERVAL) < 0) {
            throw new IllegalArgumentException("interval must be at least 0.1 seconds, not " + interval);
        }
        return new ObserverOptions(bindAddress, allowedHosts, interval, controlToken, tls, pages);
    }

    /**
     * Sets the token that allows clients to stop actors on the page, or null to forbid it. The page asks for the token.
     *
     * @throws IllegalArgumentException if it has fewer than 16 characters, or a character that is not a visible ASCII
     *     character
     */
    public ObserverOptions controlToken(@Nullable String token) {
        if (token != null && (token.length() < SHORTEST_TOKEN || token.chars().anyMatch(c -> c <= ' ' || c >= 0x7f))) {
            throw new IllegalArgumentException(
                    "a token must have at least 16 characters, all of them visible ones of ASCII");
        }
        return new ObserverOptions(bindAddress, allowedHosts, interval, token, tls, pages);
    }

    /** Sets the TLS context, or null for plain HTTP. */
    public ObserverOptions tls(@Nullable SSLContext context) {
        return new ObserverOptions(bindAddress, allowedHosts, interval, controlToken, context, pages);
    }

    /**
     * Sets the further pages, for instance of a cluster. The navigation of all pages has a link to each.
     *
     * @throws IllegalArgumentException if two of them have the same path: names that differ only in the case of a
     *     letter, or in a space and a hyphen
     */
    public ObserverOptions pages(List<ObserverPage> pages) {
        var paths = new HashSet<String>();
        for (ObserverPage page : pages) {
            if (!paths.add(page.path())) {
                throw new IllegalArgumentException(
                        "two pages have the path " + page.path() + ": give each page another name");
            }
        }
        return new ObserverOptions(bindAddress, allowedHosts, interval, controlToken, tls, List.copyOf(pages));
    }

    // ---- the values

    public @Nullable InetAddress bindAddress() {
        return bindAddress;
    }

    public Set<String> allowedHosts() {
        return allowedHosts;
    }

    public Duration interval() {
        return interval;
    }

    public @Nullable SSLContext tls() {
        return tls;
    }

    public List<ObserverPage> pages() {
        return pages;
    }

    /** Not public: code that has the options does not need the secret. */
    @Nullable
    String controlToken() {
        return controlToken;
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "ObserverOptions[" + bindAddress + ", " + allowedHosts + ", " + interval
                + (controlToken == null ? ", read-only" : ", with control") + "]";
    }
}
