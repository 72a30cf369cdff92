package io.fibry.observer;

import io.fibry.http.EventStream;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The open event streams of the page, by the address of the client. One client must not take all the requests that the
 * server handles at a time. When a client opens one stream too many, its oldest stream ends, because that is probably a
 * page that is no longer looked at. A stream whose client reads nothing cannot end at once, so that a client may have a
 * few more for a while; beyond this second limit, its new streams end at once. For any number of threads.
 */
final class Viewers {

    /** A browser opens six. */
    static final int PER_CLIENT = 16;

    static final int PER_CLIENT_WITH_ENDING = 24;

    /** The streams of one client. */
    private static final class Client {
        final Deque<EventStream> open = new ArrayDeque<>(); // the oldest first
        int ending;
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<InetAddress, Client> clients = new HashMap<>(); // guarded by the lock

    /**
     * Adds a stream. If this returns false, the stream has to end; otherwise the caller passes it to {@link #leave} at
     * its end.
     */
    boolean enter(InetAddress address, EventStream stream) {
        EventStream oldest = null;
        lock.lock();
        try {
            Client client = clients.computeIfAbsent(address, key -> new Client());
            if (client.open.size() + client.ending >= PER_CLIENT_WITH_ENDING) {
                return false;
            }
            if (client.open.size() >= PER_CLIENT) {
                oldest = client.open.removeFirst();
                client.ending++;
            }
            client.open.addLast(stream);
        } finally {
            lock.unlock();
        }
        if (oldest != null) {
            oldest.stop();
        }
        return true;
    }

    void leave(InetAddress address, EventStream stream) {
        lock.lock();
        try {
            Client client = clients.get(address);
            if (client != null) {
                if (!client.open.remove(stream)) {
                    client.ending--;
                }
                if (client.open.isEmpty() && client.ending == 0) {
                    clients.remove(address);
                }
            }
        } finally {
            lock.unlock();
        }
    }
}
