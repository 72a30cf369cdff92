package io.fibry.bench.savina.workloads;

import io.fibry.bench.savina.SavinaActor;
import io.fibry.bench.savina.Workload;

/**
 * Fork-join, throughput: one actor sends messages to 60 others in turn, which do a small amount of work per message.
 */
public record ForkJoinThroughput(int messages) implements Workload {

    private static final int ACTORS = 60;
    private static final Object WORK = new Object();

    @Override
    public Object expected() {
        double value = 0;
        for (int i = 0; i < messages; i++) {
            value = next(value);
        }
        return value * ACTORS;
    }

    private static double next(double value) {
        return Math.sqrt(value + 2);
    }

    @Override
    public SavinaActor main() {
        return new Forker(messages);
    }

    private static final class Forker extends SavinaActor {
        private final int messages;
        private int done;
        private double last;

        Forker(int messages) {
            this.messages = messages;
        }

        @Override
        protected void receive(Object message) {
            if (message == START) {
                var actors = new Object[ACTORS];
                for (int i = 0; i < ACTORS; i++) {
                    actors[i] = spawn(new Worker(messages, self()));
                }
                for (int m = 0; m < messages; m++) {
                    for (Object actor : actors) {
                        tell(actor, WORK);
                    }
                }
            } else {
                if (done > 0 && last != (Double) message) {
                    throw new IllegalStateException("one actor has " + message + ", another " + last);
                }
                last = (Double) message;
                if (++done == ACTORS) {
                    finish(last * ACTORS);
                    stop();
                }
            }
        }
    }

    private static final class Worker extends SavinaActor {
        private final Object collector;
        private int left;
        private double value;

        Worker(int messages, Object collector) {
            left = messages;
            this.collector = collector;
        }

        @Override
        protected void receive(Object message) {
            value = next(value);
            if (--left == 0) {
                tell(collector, value);
                stop();
            }
        }
    }
}
