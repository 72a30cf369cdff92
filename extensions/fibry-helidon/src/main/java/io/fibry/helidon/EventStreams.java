package io.fibry.helidon;

import io.fibry.Actor;
import io.fibry.ActorStoppedException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A source of server-sent events. Any thread and any actor may publish to it; each connected client gets every event,
 * in order. It may serve several paths and servers.
 *
 * {@snippet class = "HelidonSnippets" region = "events"}
 *
 * <p>Publishing never waits. A client that is so slow that its buffer is full is disconnected. Browsers then connect
 * again. If the server stops, the clients get the published events, and then the end of the response.
 */
public final class EventStreams {

    private static final int BUFFER = 256;

    private final Set<Actor<StreamEvent>> clients = ConcurrentHashMap.newKeySet();
    private final int buffer;

    private EventStreams(int buffer) {
        this.buffer = buffer;
    }

    /** A source with a buffer of 256 events for each client. */
    public static EventStreams create() {
        return create(BUFFER);
    }

    /**
     * A source with a buffer for each client.
     *
     * @param buffer how many events may wait for a slow client
     * @throws IllegalArgumentException if the number is not positive
     */
    public static EventStreams create(int buffer) {
        if (buffer < 1) {
            throw new IllegalArgumentException("a client needs a buffer for at least one event, not for " + buffer);
        }
        return new EventStreams(buffer);
    }

    /** Sends an event to all clients. */
    public void publish(StreamEvent event) {
        clients.removeIf(client -> !isAccepted(client, event));
    }

    /** Sends an event with a text only. */
    public void publish(String data) {
        publish(StreamEvent.of(data));
    }

    private static boolean isAccepted(Actor<StreamEvent> client, StreamEvent event) {
        try {
            boolean accepted = client.tryTell(event);
            if (!accepted) {
                client.stop();
            }
            return accepted;
        } catch (ActorStoppedException e) {
            return false;
        }
    }

    /** The number of clients that are connected. */
    public int clients() {
        return clients.size();
    }

    int buffer() {
        return buffer;
    }

    void add(Actor<StreamEvent> client) {
        clients.add(client);
    }

    void remove(Actor<StreamEvent> client) {
        clients.remove(client);
    }
}
