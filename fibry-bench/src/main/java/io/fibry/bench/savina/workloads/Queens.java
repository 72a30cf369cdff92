package io.fibry.bench.savina.workloads;

import io.fibry.bench.savina.SavinaActor;
import io.fibry.bench.savina.Workload;
import java.util.ArrayDeque;

/**
 * N queens: a master distributes positions to 20 workers. A worker extends positions with few queens by one queen and
 * returns them, and searches the others completely. It reports each solution.
 */
public record Queens(int size) implements Workload {

    private static final int WORKERS = 20;
    private static final int SPREAD = 4; // with so many queens the rest is searched at once
    private static final int[] SOLUTIONS = {1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2_680, 14_200, 73_712};

    private record Idle(Object worker) {}

    private static final Object SOLUTION = new Object();

    @Override
    public Object expected() {
        return SOLUTIONS[size];
    }

    @Override
    public SavinaActor main() {
        return new Master(size);
    }

    private static final class Master extends SavinaActor {
        private final int size;
        private final ArrayDeque<int[]> waiting = new ArrayDeque<>();
        private final ArrayDeque<Object> idle = new ArrayDeque<>();
        private int solutions;

        Master(int size) {
            this.size = size;
        }

        @Override
        protected void receive(Object message) {
            if (message == SOLUTION) {
                solutions++;
                return;
            }
            if (message instanceof int[] queens) {
                waiting.add(queens);
            } else if (message instanceof Idle who) {
                idle.add(who.worker());
            } else {
                for (int i = 0; i < WORKERS; i++) {
                    idle.add(spawn(new Worker(self(), size)));
                }
                waiting.add(new int[0]);
            }
            while (!waiting.isEmpty() && !idle.isEmpty()) {
                tell(idle.remove(), waiting.remove());
            }
            if (idle.size() == WORKERS) {
                stopAll(idle.toArray());
                finish(solutions);
                stop();
            }
        }
    }

    private static final class Worker extends SavinaActor {
        private final Object master;
        private final int size;

        Worker(Object master, int size) {
            this.master = master;
            this.size = size;
        }

        @Override
        protected void receive(Object message) {
            var queens = (int[]) message;
            if (queens.length < SPREAD) {
                for (int column = 0; column < size; column++) {
                    if (isSafe(queens, queens.length, column)) {
                        tell(master, with(queens, column));
                    }
                }
            } else {
                search(java.util.Arrays.copyOf(queens, size), queens.length);
            }
            tell(master, new Idle(self()));
        }

        private static int[] with(int[] queens, int column) {
            int[] more = java.util.Arrays.copyOf(queens, queens.length + 1);
            more[queens.length] = column;
            return more;
        }

        private void search(int[] queens, int depth) {
            if (depth == size) {
                tell(master, SOLUTION);
                return;
            }
            for (int column = 0; column < size; column++) {
                if (isSafe(queens, depth, column)) {
                    queens[depth] = column;
                    search(queens, depth + 1);
                }
            }
        }

        private static boolean isSafe(int[] queens, int depth, int column) {
            for (int row = 0; row < depth; row++) {
                int away = Math.abs(queens[row] - column);
                if (away == 0 || away == depth - row) {
                    return false;
                }
            }
            return true;
        }
    }
}
