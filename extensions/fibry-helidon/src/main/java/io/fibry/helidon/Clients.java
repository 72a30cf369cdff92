package io.fibry.helidon;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The clients that stay connected to a server.
 *
 * <p>No client misses the stop. {@link #add} adds it, <em>then</em> reads the flag; {@link #goAway} sets the flag,
 * <em>then</em> reads the clients. At least one of the two sees the write of the other. A client may be notified twice;
 * the second call has no effect.
 */
final class Clients {

    private final Set<Client> connected = ConcurrentHashMap.newKeySet();
    private volatile boolean closing;

    void add(Client client) {
        connected.add(client);
        if (closing) {
            client.goAway();
        }
    }

    void remove(Client client) {
        connected.remove(client);
    }

    void goAway() {
        closing = true;
        connected.forEach(Client::goAway);
    }

    void check() {
        long now = System.nanoTime();
        connected.forEach(client -> client.check(now));
    }
}
