package io.fibry.bench.savina.workloads;

import io.fibry.bench.savina.SavinaActor;
import io.fibry.bench.savina.Workload;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Quick sort: an actor splits its values and creates an actor for each part, down to parts that are sorted directly.
 */
public record QuickSort(int values) implements Workload {

    private static final int AT_ONCE = 512;

    /** Sorted values. Unsorted values are sent without a wrapper. */
    private static final class Sorted {
        private final boolean isLeft;
        private final long[] values;

        Sorted(boolean isLeft, long[] values) {
            this.isLeft = isLeft;
            this.values = values;
        }
    }

    private long[] input() {
        return new SplittableRandom(1).longs(values).toArray();
    }

    @Override
    public Object expected() {
        long[] input = input();
        Arrays.sort(input);
        return Arrays.hashCode(input);
    }

    @Override
    public SavinaActor main() {
        return new Main(input());
    }

    private static final class Main extends SavinaActor {
        private final long[] input;

        Main(long[] input) {
            this.input = input;
        }

        @Override
        protected void receive(Object message) {
            if (message == START) {
                tell(spawn(new Sorter(self(), true)), input);
            } else {
                finish(Arrays.hashCode(((Sorted) message).values));
                stop();
            }
        }
    }

    private static final class Sorter extends SavinaActor {
        private final Object parent;
        private final boolean isLeft;
        private long[] sorted = {};
        private int parts;

        Sorter(Object parent, boolean isLeft) {
            this.parent = parent;
            this.isLeft = isLeft;
        }

        @Override
        protected void receive(Object message) {
            if (message instanceof long[] values) {
                sort(values);
            } else {
                var part = (Sorted) message;
                int at = part.isLeft ? 0 : sorted.length - part.values.length;
                System.arraycopy(part.values, 0, sorted, at, part.values.length);
                if (++parts == 2) {
                    answer(sorted);
                }
            }
        }

        private void sort(long[] values) {
            if (values.length <= AT_ONCE) {
                Arrays.sort(values);
                answer(values);
                return;
            }
            long pivot = values[values.length / 2];
            long[] below = Arrays.stream(values).filter(v -> v < pivot).toArray();
            long[] above = Arrays.stream(values).filter(v -> v > pivot).toArray();
            sorted = new long[values.length];
            Arrays.fill(sorted, pivot);
            tell(spawn(new Sorter(self(), true)), below);
            tell(spawn(new Sorter(self(), false)), above);
        }

        private void answer(long[] values) {
            tell(parent, new Sorted(isLeft, values));
            stop();
        }
    }
}
