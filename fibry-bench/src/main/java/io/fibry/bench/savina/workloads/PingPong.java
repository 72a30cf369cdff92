package io.fibry.bench.savina.workloads;

import io.fibry.bench.savina.SavinaActor;
import io.fibry.bench.savina.Workload;

/** Ping-pong: two actors send a message back and forth. */
public record PingPong(int rounds) implements Workload {

    private record Ping(Object from) {}

    private static final Object PONG = new Object();

    @Override
    public Object expected() {
        return rounds;
    }

    @Override
    public SavinaActor main() {
        return new Pinger(rounds);
    }

    private static final class Pinger extends SavinaActor {
        private final int rounds;
        private final Ponger other = new Ponger();
        private Object ponger = other;
        private int done;

        Pinger(int rounds) {
            this.rounds = rounds;
        }

        @Override
        protected void receive(Object message) {
            if (message == START) {
                ponger = spawn(other);
            } else if (++done == rounds) {
                tell(ponger, STOP);
                finish(other.seen);
                stop();
                return;
            }
            tell(ponger, new Ping(self()));
        }
    }

    private static final class Ponger extends SavinaActor {
        private int seen;

        @Override
        protected void receive(Object message) {
            seen++;
            tell(((Ping) message).from(), PONG);
        }
    }
}
