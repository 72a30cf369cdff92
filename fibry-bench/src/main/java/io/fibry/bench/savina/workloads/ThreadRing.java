package io.fibry.bench.savina.workloads;

import io.fibry.bench.savina.SavinaActor;
import io.fibry.bench.savina.Workload;

/** Thread ring: a token circulates through 100 actors, and is decremented at each hop. */
public record ThreadRing(int hops) implements Workload {

    private static final int ACTORS = 100;

    private record Connect(Object next) {}

    private record Token(int left) {}

    private record Last(int index) {}

    @Override
    public Object expected() {
        return hops % ACTORS;
    }

    @Override
    public SavinaActor main() {
        return new Ring(hops);
    }

    private static final class Ring extends SavinaActor {
        private final int hops;
        private final Object[] nodes = new Object[ACTORS];

        Ring(int hops) {
            this.hops = hops;
        }

        @Override
        protected void receive(Object message) {
            if (message instanceof Last last) {
                stopAll(nodes);
                finish(last.index());
                stop();
                return;
            }
            for (int i = 0; i < ACTORS; i++) {
                nodes[i] = spawn(new Node(i, self()));
            }
            for (int i = 0; i < ACTORS; i++) {
                tell(nodes[i], new Connect(nodes[(i + 1) % ACTORS]));
            }
            tell(nodes[0], new Token(hops));
        }
    }

    private static final class Node extends SavinaActor {
        private final int index;
        private final Object ring;
        private Object next;

        Node(int index, Object ring) {
            this.index = index;
            this.ring = ring;
            next = ring;
        }

        @Override
        protected void receive(Object message) {
            if (message instanceof Token token) {
                if (token.left() == 0) {
                    tell(ring, new Last(index));
                } else {
                    tell(next, new Token(token.left() - 1));
                }
            } else {
                next = ((Connect) message).next();
            }
        }
    }
}
