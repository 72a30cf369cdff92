package io.fibry.bench.savina.workloads;

import io.fibry.bench.savina.SavinaActor;
import io.fibry.bench.savina.Workload;
import java.util.ArrayDeque;

/** Bounded buffer: 40 producers and 40 consumers of an actor that holds at most 50 items. */
public record BoundedBuffer(int itemsPerProducer) implements Workload {

    private static final int PRODUCERS = 40;
    private static final int CONSUMERS = 40;
    private static final int ROOM = 50;
    private static final int COST = 25;

    private record Item(Object producer, int value) {}

    private record Available(Object consumer, int consumed) {}

    private static final Object PRODUCE = new Object();
    private static final Object EXIT = new Object();

    /** Executes some work, whose result a compiler cannot eliminate. */
    private static double work(double seed) {
        double value = seed;
        for (int i = 0; i < COST; i++) {
            value += Math.log(Math.abs(value) + 1.5);
        }
        return value;
    }

    @Override
    public Object expected() {
        return (long) PRODUCERS * itemsPerProducer * (itemsPerProducer + 1) / 2;
    }

    @Override
    public SavinaActor main() {
        return new Manager(itemsPerProducer);
    }

    private static final class Manager extends SavinaActor {
        private final int items;
        private final ArrayDeque<Item> buffer = new ArrayDeque<>();
        private final ArrayDeque<Object> consumers = new ArrayDeque<>();
        private final ArrayDeque<Object> producers = new ArrayDeque<>();
        private int exited;
        private long sum;

        Manager(int items) {
            this.items = items;
        }

        @Override
        protected void receive(Object message) {
            if (message instanceof Item item) {
                produced(item);
            } else if (message instanceof Available consumer) {
                sum += consumer.consumed();
                available(consumer.consumer());
            } else if (message == EXIT) {
                exited++;
            } else {
                begin();
            }
            if (exited == PRODUCERS && consumers.size() == CONSUMERS) {
                stopAll(consumers.toArray());
                finish(sum);
                stop();
            }
        }

        private void begin() {
            for (int i = 0; i < CONSUMERS; i++) {
                consumers.add(spawn(new Consumer(self())));
            }
            for (int i = 0; i < PRODUCERS; i++) {
                tell(spawn(new Producer(self(), items)), PRODUCE);
            }
        }

        private void produced(Item item) {
            Object consumer = consumers.poll();
            if (consumer == null) {
                buffer.add(item);
            } else {
                tell(consumer, item);
            }
            if (buffer.size() >= ROOM - PRODUCERS) { // each of the others may send one more
                producers.add(item.producer());
            } else {
                tell(item.producer(), PRODUCE);
            }
        }

        private void available(Object consumer) {
            Item item = buffer.poll();
            if (item == null) {
                consumers.add(consumer);
                return;
            }
            tell(consumer, item);
            Object producer = producers.poll();
            if (producer != null) {
                tell(producer, PRODUCE);
            }
        }
    }

    private static final class Producer extends SavinaActor {
        private final Object manager;
        private final int items;
        private int produced;
        private double state;

        Producer(Object manager, int items) {
            this.manager = manager;
            this.items = items;
        }

        @Override
        protected void receive(Object message) {
            if (produced == items) {
                tell(manager, EXIT);
                stop();
            } else {
                state = work(state);
                tell(manager, new Item(self(), ++produced));
            }
        }
    }

    private static final class Consumer extends SavinaActor {
        private final Object manager;
        private double state;

        Consumer(Object manager) {
            this.manager = manager;
        }

        @Override
        protected void receive(Object message) {
            state = work(state);
            tell(manager, new Available(self(), state > 0 ? ((Item) message).value() : 0));
        }
    }
}
