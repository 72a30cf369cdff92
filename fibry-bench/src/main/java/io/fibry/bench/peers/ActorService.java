package io.fibry.bench.peers;

import java.util.Arrays;
import java.util.concurrent.RejectedExecutionException;

/** An actor for each permit. The actors get the requests in turn, and their mailboxes queue or refuse the requests. */
final class ActorService implements Service {

    private final Peer peer;
    private final boolean bounded;
    private final Client client;
    private final Object[] actors;
    private int next;

    ActorService(Peer peer, boolean bounded, Resource resource, Client client) {
        this.peer = peer;
        this.bounded = bounded;
        this.client = client;
        actors = new Object[resource.permits()];
        Arrays.setAll(
                actors,
                i -> peer.actor(request -> {
                    resource.use();
                    client.answered(request);
                }));
    }

    @Override
    public void submit(Object request) {
        next = (next + 1) % actors.length;
        try {
            peer.tell(actors[next], request);
        } catch (RejectedExecutionException e) {
            client.refused(request);
        }
    }

    @Override
    public boolean isBounded() {
        return bounded;
    }

    @Override
    public void close() {
        for (Object actor : actors) {
            peer.stop(actor);
        }
    }
}
