package io.fibry.bench.savina.workloads;

import io.fibry.bench.savina.SavinaActor;
import io.fibry.bench.savina.Workload;

/** Counting actor: an actor floods another one with messages, and then queries their number. */
public record Counting(int messages) implements Workload {

    private record Retrieve(Object from) {}

    private static final Object INCREMENT = new Object();

    @Override
    public Object expected() {
        return messages;
    }

    @Override
    public SavinaActor main() {
        return new Producer(messages);
    }

    private static final class Producer extends SavinaActor {
        private final int messages;

        Producer(int messages) {
            this.messages = messages;
        }

        @Override
        protected void receive(Object message) {
            if (message == START) {
                Object counter = spawn(new Counter());
                for (int i = 0; i < messages; i++) {
                    tell(counter, INCREMENT);
                }
                tell(counter, new Retrieve(self()));
            } else {
                finish(message);
                stop();
            }
        }
    }

    private static final class Counter extends SavinaActor {
        private int count;

        @Override
        protected void receive(Object message) {
            if (message instanceof Retrieve retrieve) {
                tell(retrieve.from(), count);
                stop();
            } else {
                count++;
            }
        }
    }
}
