package io.fibry.bench.savina.workloads;

import io.fibry.bench.savina.SavinaActor;
import io.fibry.bench.savina.Workload;
import java.util.SplittableRandom;

/** Concurrent sorted list: 20 workers search the sorted list of one actor, add to it, and query its size. */
public record ConcurrentSortedList(int messages) implements Workload {

    private static final int WORKERS = 20;
    private static final int WRITE_PERCENT = 10;
    private static final int SIZE_PERCENT = 1;
    private static final int VALUES = 1 << 16;

    private record Write(Object from, int value) {}

    private record Contains(Object from, int value) {}

    private record Size(Object from) {}

    private record Sum(Object to) {}

    private static final Object DONE = new Object();

    @Override
    public Object expected() {
        long sum = 0;
        for (int w = 0; w < WORKERS; w++) {
            var random = new SplittableRandom(w);
            for (int i = 0; i < messages; i++) {
                int kind = random.nextInt(100);
                int value = random.nextInt(VALUES);
                sum += kind >= SIZE_PERCENT && kind < SIZE_PERCENT + WRITE_PERCENT ? value + 1 : 0;
            }
        }
        return sum;
    }

    @Override
    public SavinaActor main() {
        return new Manager(messages);
    }

    private static final class Manager extends SavinaActor {
        private final int messages;
        private Object list = STOP;
        private int done;

        Manager(int messages) {
            this.messages = messages;
        }

        @Override
        protected void receive(Object message) {
            if (message == START) {
                list = spawn(new SortedList());
                for (int i = 0; i < WORKERS; i++) {
                    tell(spawn(new Worker(i, messages, self(), list)), START);
                }
            } else if (message == DONE) {
                if (++done == WORKERS) {
                    tell(list, new Sum(self()));
                }
            } else {
                finish(message);
                stop();
            }
        }
    }

    private static final class Worker extends SavinaActor {
        private final SplittableRandom random;
        private final Object manager;
        private final Object list;
        private int left;

        Worker(int seed, int messages, Object manager, Object list) {
            random = new SplittableRandom(seed);
            left = messages;
            this.manager = manager;
            this.list = list;
        }

        @Override
        protected void receive(Object message) {
            if (left-- == 0) {
                tell(manager, DONE);
                stop();
                return;
            }
            int kind = random.nextInt(100);
            int value = random.nextInt(VALUES);
            if (kind < SIZE_PERCENT) {
                tell(list, new Size(self()));
            } else {
                boolean writes = kind < SIZE_PERCENT + WRITE_PERCENT;
                tell(list, writes ? new Write(self(), value) : new Contains(self(), value));
            }
        }
    }

    private static final class SortedList extends SavinaActor {
        private final Node head = new Node(-1);
        private int size;

        private static final class Node {
            private final int value;
            private Node next = this; // the last one is its own next

            Node(int value) {
                this.value = value;
            }
        }

        /** Returns the last node with a lower value. */
        private Node before(int value) {
            Node node = head;
            while (node.next != node && node.next.value < value) {
                node = node.next;
            }
            return node;
        }

        private void add(int value) {
            Node node = before(value);
            var added = new Node(value);
            added.next = node.next == node ? added : node.next;
            node.next = added;
            size++;
        }

        private long sum() {
            long sum = size;
            for (Node node = head; node.next != node; node = node.next) {
                if (node.next.value < node.value) {
                    throw new IllegalStateException("the list is not sorted");
                }
                sum += node.next.value;
            }
            return sum;
        }

        @Override
        protected void receive(Object message) {
            if (message instanceof Contains contains) {
                tell(contains.from(), before(contains.value()).next.value == contains.value());
            } else if (message instanceof Write write) {
                add(write.value());
                tell(write.from(), write.value());
            } else if (message instanceof Size sizeOf) {
                tell(sizeOf.from(), size);
            } else {
                tell(((Sum) message).to(), sum());
                stop();
            }
        }
    }
}
