package io.fibry.helidon;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The clients that stay connected to a server.
 *
 * <p>No client misses the stop. {@link #add} adds it, <em>then</em> reads the flag; {@link #goAway} sets the flag, <em>then</em>
 * looks at the clients. So at least one of the two sees the other, and a client may be told twice, which changes nothing.
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
