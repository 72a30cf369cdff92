package io.fibry.bench.savina.workloads;

import io.fibry.bench.savina.SavinaActor;
import io.fibry.bench.savina.Workload;
import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * A* search: 20 workers look for a way through a cube of cells with walls in it, each of which has one hole. A worker
 * visits up to 256 cells, the nearest to the target first, and returns the remaining cells to the master.
 */
public record AStar(int side) implements Workload {

    private static final int WORKERS = 20;
    private static final int AT_ONCE = 256;
    private static final int WALL_EVERY = 6;
    private static final int UNSEEN = -1;

    private record Work(int cell) {}

    private record Idle(Object worker) {}

    private static final Object FOUND = new Object();

    /** The cube: the walls, and the predecessor from which each cell was first reached, which all workers write. */
    private static final class Grid {
        private final int side;
        private final boolean[] walls;
        private final AtomicIntegerArray from;

        Grid(int side) {
            this.side = side;
            walls = new boolean[side * side * side];
            var random = new SplittableRandom(1);
            for (int x = WALL_EVERY - 1; x < side - 1; x += WALL_EVERY) {
                java.util.Arrays.fill(walls, x * side * side, (x + 1) * side * side, true);
                walls[x * side * side + random.nextInt(side * side)] = false;
            }
            from = new AtomicIntegerArray(walls.length);
            for (int i = 1; i < walls.length; i++) {
                from.set(i, UNSEEN);
            }
        }

        int target() {
            return walls.length - 1;
        }

        int distance(int cell) {
            int last = side - 1;
            return 3 * last - cell / (side * side) - cell / side % side - cell % side;
        }

        /** Returns the neighbor in a direction from 0 to 5, or the cell itself if there is none. */
        int neighbour(int cell, int direction) {
            int step = direction / 2 == 0 ? 1 : direction / 2 == 1 ? side : side * side;
            int place = cell / step % side;
            boolean up = direction % 2 == 0;
            int to = (up ? place == side - 1 : place == 0) ? cell : up ? cell + step : cell - step;
            return walls[to] ? cell : to;
        }

        /** Returns whether the steps back from the target lead to the first cell without passing a wall. */
        boolean hasWay() {
            int cell = target();
            for (int i = 0; cell != 0 && i < walls.length; i++) {
                int before = from.get(cell);
                boolean near = false;
                for (int d = 0; d < 6 && before != UNSEEN; d++) {
                    near |= neighbour(before, d) == cell;
                }
                if (!near) {
                    return false;
                }
                cell = before;
            }
            return cell == 0;
        }
    }

    @Override
    public Object expected() {
        return true;
    }

    @Override
    public SavinaActor main() {
        return new Master(new Grid(side));
    }

    private static final class Master extends SavinaActor {
        private final Grid grid;
        private final ArrayDeque<Work> waiting = new ArrayDeque<>();
        private final ArrayDeque<Object> idle = new ArrayDeque<>();
        private boolean found;

        Master(Grid grid) {
            this.grid = grid;
        }

        @Override
        protected void receive(Object message) {
            if (message instanceof Work work) {
                waiting.add(work);
            } else if (message instanceof Idle who) {
                idle.add(who.worker());
            } else if (message == FOUND) {
                found = true;
            } else {
                for (int i = 0; i < WORKERS; i++) {
                    idle.add(spawn(new Worker(self(), grid)));
                }
                waiting.add(new Work(0));
            }
            while (!found && !waiting.isEmpty() && !idle.isEmpty()) {
                tell(idle.remove(), waiting.remove());
            }
            if (idle.size() == WORKERS) {
                stopAll(idle.toArray());
                finish(found && grid.hasWay());
                stop();
            }
        }
    }

    private static final class Worker extends SavinaActor {
        private final Object master;
        private final Grid grid;

        Worker(Object master, Grid grid) {
            this.master = master;
            this.grid = grid;
        }

        @Override
        protected void receive(Object message) {
            var open = new PriorityQueue<Integer>((a, b) -> Integer.compare(grid.distance(a), grid.distance(b)));
            open.add(((Work) message).cell());
            for (int i = 0; i < AT_ONCE && !open.isEmpty(); i++) {
                visit(open.remove(), open);
            }
            for (Integer cell : open) {
                tell(master, new Work(cell));
            }
            tell(master, new Idle(self()));
        }

        private void visit(int cell, PriorityQueue<Integer> open) {
            for (int d = 0; d < 6; d++) {
                int next = grid.neighbour(cell, d);
                if (grid.from.compareAndSet(next, UNSEEN, cell)) {
                    if (next == grid.target()) {
                        tell(master, FOUND);
                    }
                    open.add(next);
                }
            }
        }
    }
}
