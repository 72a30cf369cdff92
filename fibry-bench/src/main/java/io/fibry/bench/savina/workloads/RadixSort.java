package io.fibry.bench.savina.workloads;

import io.fibry.bench.savina.SavinaActor;
import io.fibry.bench.savina.Workload;
import java.util.SplittableRandom;

/**
 * Radix sort: a chain of actors, one per bit. Each actor forwards values without its bit immediately, and the others at
 * the end.
 */
public record RadixSort(int values) implements Workload {

    private static final int BITS = 30;

    private static long digest(long digest, long value) {
        return digest * 31 + value;
    }

    @Override
    public Object expected() {
        return java.util.stream.LongStream.generate(numbers()::next)
                .limit(values)
                .sorted()
                .reduce(0, RadixSort::digest);
    }

    private static Numbers numbers() {
        return new Numbers(new SplittableRandom(1));
    }

    private record Numbers(SplittableRandom random) {
        long next() {
            return random.nextLong(1L << BITS);
        }
    }

    @Override
    public SavinaActor main() {
        return new Main(values);
    }

    private static final class Main extends SavinaActor {
        private final int values;

        Main(int values) {
            this.values = values;
        }

        @Override
        protected void receive(Object message) {
            if (message != START) {
                finish(message);
                stop();
                return;
            }
            Object next = spawn(new End(values, self()));
            for (int bit = BITS - 1; bit >= 0; bit--) {
                next = spawn(new Sorter(values, 1L << bit, next));
            }
            Numbers numbers = numbers();
            for (int i = 0; i < values; i++) {
                tell(next, numbers.next());
            }
        }
    }

    private static final class Sorter extends SavinaActor {
        private final long bit;
        private final Object next;
        private final Object[] later;
        private int held;
        private int left;

        Sorter(int values, long bit, Object next) {
            this.bit = bit;
            this.next = next;
            later = new Object[values];
            left = values;
        }

        @Override
        protected void receive(Object message) {
            if (((Long) message & bit) == 0) {
                tell(next, message);
            } else {
                later[held++] = message;
            }
            if (--left == 0) {
                for (int i = 0; i < held; i++) {
                    tell(next, later[i]);
                }
                stop();
            }
        }
    }

    private static final class End extends SavinaActor {
        private final Object main;
        private int left;
        private long digest;

        End(int values, Object main) {
            left = values;
            this.main = main;
        }

        @Override
        protected void receive(Object message) {
            digest = digest(digest, (Long) message);
            if (--left == 0) {
                tell(main, digest);
                stop();
            }
        }
    }
}
