package io.fibry.bench.peers;

import java.util.ArrayDeque;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * An actor for each permit, on Pekko's dispatcher for blocking code, and a front actor that distributes the requests,
 * queues some, and refuses the others.
 *
 * @param front the front actor
 */
record PekkoService(ActorRef<Object> front) implements Service {

    /** Reports that a worker is idle. */
    private record Free(ActorRef<Object> worker) {}

    /** The behavior of the front actor, which creates the workers. */
    static Behavior<Object> front(Resource resource, int room, Client client) {
        return Behaviors.setup(context -> {
            var front = new Front(room, client);
            for (int i = 0; i < resource.permits(); i++) {
                front.free.add(context.spawnAnonymous(
                        worker(resource, client, context.getSelf()), DispatcherSelector.blocking()));
            }
            return Pekko.calling(front::receive);
        });
    }

    private static Behavior<Object> worker(Resource resource, Client client, ActorRef<Object> front) {
        return Behaviors.setup(context -> {
            var free = new Free(context.getSelf());
            return Pekko.calling(request -> {
                resource.useWithPermit();
                client.answered(request);
                front.tell(free);
            });
        });
    }

    private static final class Front {
        private final int room;
        private final Client client;
        private final ArrayDeque<ActorRef<Object>> free = new ArrayDeque<>();
        private final ArrayDeque<Object> waiting = new ArrayDeque<>();

        Front(int room, Client client) {
            this.room = room;
            this.client = client;
        }

        void receive(Object message) {
            if (message instanceof Free(ActorRef<Object> worker)) {
                free(worker);
            } else if (!free.isEmpty()) {
                free.remove().tell(message);
            } else if (waiting.size() < room) {
                waiting.add(message);
            } else {
                client.refused(message);
            }
        }

        private void free(ActorRef<Object> worker) {
            Object next = waiting.poll();
            if (next == null) {
                free.add(worker);
            } else {
                worker.tell(next);
            }
        }
    }

    @Override
    public void submit(Object request) {
        front.tell(request);
    }

    @Override
    public boolean isBounded() {
        return true;
    }

    @Override
    public void close() {
        front.tell(Pekko.STOP);
    }
}
