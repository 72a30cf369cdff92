package io.fibry.http;

import com.sun.net.httpserver.HttpExchange;
import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests may be handled now: requests within both limits, and health checks.
 *
 * <p>No permit is lost when memory runs out: {@link #enter} allocates its memory before it counts, and {@link #leave}
 * allocates none.
 */
final class RequestLimits {

    enum Kind {
        /** Handled within the limits. */
        ADMITTED,
        /** Handled, perhaps beyond a limit. */
        HEALTH_CHECK,
        /** Refused: the server handles too many requests, or it is stopping. */
        FULL,
        /** Refused: the server handles too many requests from this address. */
        ADDRESS_FULL
    }

    /**
     * The permits of a request until its end: a permit of the gate if it is not refused, and perhaps one of its
     * address.
     */
    record Permit(Kind kind, @Nullable InetAddress address) {
        boolean isRefused() {
            return kind == Kind.FULL || kind == Kind.ADDRESS_FULL;
        }
    }

    private static final Permit ADMITTED = new Permit(Kind.ADMITTED, null);
    private static final Permit HEALTH_CHECK = new Permit(Kind.HEALTH_CHECK, null);
    private static final Permit FULL = new Permit(Kind.FULL, null);
    private static final Permit ADDRESS_FULL = new Permit(Kind.ADDRESS_FULL, null);

    private final ExchangeGate gate;
    private final HttpRoutes routes;
    private final int perAddress;

    /**
     * Requests in progress, in an array of one element; changed under the map's lock for the key. Empty without a
     * limit.
     */
    private final ConcurrentHashMap<InetAddress, int[]> byAddress = new ConcurrentHashMap<>();

    RequestLimits(ExchangeGate gate, HttpRoutes routes, int perAddress) {
        this.gate = gate;
        this.routes = routes;
        this.perAddress = perAddress;
    }

    /** Decides about a request. Pass the result to {@link #leave} at its end. */
    Permit enter(HttpExchange exchange) {
        if (!gate.enter()) {
            return isHealthCheck(exchange) && gate.enterReserved() ? HEALTH_CHECK : FULL;
        }
        if (perAddress == Integer.MAX_VALUE) {
            return ADMITTED;
        }
        Permit permit = ADDRESS_FULL;
        try {
            permit = withAddress(exchange);
            return permit;
        } finally {
            if (permit.isRefused()) {
                gate.leave(); // also after an exception
            }
        }
    }

    private Permit withAddress(HttpExchange exchange) {
        InetAddress address = exchange.getRemoteAddress().getAddress();
        var permit = new Permit(Kind.ADMITTED, address);
        if (acquire(address)) {
            return permit;
        }
        return isHealthCheck(exchange) ? HEALTH_CHECK : ADDRESS_FULL;
    }

    private boolean acquire(InetAddress address) {
        var acquired = new boolean[1];
        byAddress.compute(address, (key, count) -> {
            int[] counted = count == null ? new int[1] : count;
            if (counted[0] < perAddress) {
                counted[0]++;
                acquired[0] = true;
            }
            return counted;
        });
        return acquired[0];
    }

    void leave(Permit permit) {
        InetAddress address = permit.address();
        if (address != null) {
            byAddress.computeIfPresent(address, (key, count) -> --count[0] == 0 ? null : count);
        }
        if (!permit.isRefused()) {
            gate.leave(); // only now: when the last exchange has left, a stopping server closes all connections
        }
    }

    private boolean isHealthCheck(HttpExchange exchange) {
        String path = exchange.getRequestURI().getRawPath();
        return path != null && routes.find(path, exchange.getRequestMethod()).isHealthCheck();
    }
}
