package io.fibry.bench.savina.workloads;

import io.fibry.bench.savina.SavinaActor;
import io.fibry.bench.savina.Workload;
import java.util.SplittableRandom;

/** Big: each of 120 actors pings a random one, waits for the answer, and pings the next. */
public record Big(int pings) implements Workload {

    private static final int ACTORS = 120;

    private record Ping(Object from) {}

    private record Done(int answers) {}

    private static final Object PONG = new Object();

    @Override
    public Object expected() {
        return pings * ACTORS;
    }

    @Override
    public SavinaActor main() {
        return new Sink(pings);
    }

    private static final class Sink extends SavinaActor {
        private final int pings;
        private final Object[] actors = new Object[ACTORS];
        private int done;
        private int answers;

        Sink(int pings) {
            this.pings = pings;
        }

        @Override
        protected void receive(Object message) {
            if (message == START) {
                for (int i = 0; i < ACTORS; i++) {
                    actors[i] = spawn(new Pinger(i, pings, self()));
                }
                Object[] neighbours = actors.clone();
                for (Object actor : actors) {
                    tell(actor, neighbours);
                }
                return;
            }
            answers += ((Done) message).answers();
            if (++done == ACTORS) {
                stopAll(actors);
                finish(answers);
                stop();
            }
        }
    }

    private static final class Pinger extends SavinaActor {
        private final SplittableRandom random;
        private final int pings;
        private final Object sink;
        private Object[] others = {};
        private int answers;

        Pinger(int seed, int pings, Object sink) {
            random = new SplittableRandom(seed);
            this.pings = pings;
            this.sink = sink;
        }

        @Override
        protected void receive(Object message) {
            if (message instanceof Ping ping) {
                tell(ping.from(), PONG);
            } else if (message == PONG) {
                if (++answers == pings) {
                    tell(sink, new Done(answers));
                } else {
                    ping();
                }
            } else {
                others = (Object[]) message;
                ping();
            }
        }

        private void ping() {
            tell(others[random.nextInt(others.length)], new Ping(self()));
        }
    }
}
