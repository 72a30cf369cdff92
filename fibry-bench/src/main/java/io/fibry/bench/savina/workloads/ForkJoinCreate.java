package io.fibry.bench.savina.workloads;

import io.fibry.bench.savina.SavinaActor;
import io.fibry.bench.savina.Workload;

/** Fork-join, creation: creates many actors, each of which handles a single message. */
public record ForkJoinCreate(int actors) implements Workload {

    private record Work(Object collector, int number) {}

    private record Done(double value) {}

    private static double compute(int number) {
        return Math.sin(number);
    }

    @Override
    public Object expected() {
        long sum = 0;
        for (int i = 0; i < actors; i++) {
            sum += Double.doubleToLongBits(compute(i));
        }
        return sum;
    }

    @Override
    public SavinaActor main() {
        return new Forker(actors);
    }

    private static final class Forker extends SavinaActor {
        private final int actors;
        private int done;
        private long sum;

        Forker(int actors) {
            this.actors = actors;
        }

        @Override
        protected void receive(Object message) {
            if (message instanceof Done from) {
                sum += Double.doubleToLongBits(from.value());
                if (++done == actors) {
                    finish(sum);
                    stop();
                }
            } else {
                for (int i = 0; i < actors; i++) {
                    tell(spawn(new Worker()), new Work(self(), i));
                }
            }
        }
    }

    private static final class Worker extends SavinaActor {
        @Override
        protected void receive(Object message) {
            var work = (Work) message;
            tell(work.collector(), new Done(compute(work.number())));
            stop();
        }
    }
}
