package io.fibry.bench.savina.workloads;

import io.fibry.bench.savina.SavinaActor;
import io.fibry.bench.savina.Workload;
import java.util.SplittableRandom;

/**
 * All-pairs shortest path: a matrix of distances in blocks of 50 by 50, an actor for each. In each step, the blocks
 * with the row and column of the step send them to the others, as required by the algorithm of Floyd and Warshall.
 */
public record ShortestPaths(int nodes) implements Workload {

    private static final int BLOCK = 50;
    private static final long[] NONE = {};

    /** The part of the row or column of a step that is in a block. */
    private static final class Line {
        private final boolean isRow;
        private final int step;
        private final long[] values;

        Line(boolean isRow, int step, long[] values) {
            this.isRow = isRow;
            this.step = step;
            this.values = values;
        }
    }

    private long[][] graph() {
        var random = new SplittableRandom(1);
        var graph = new long[nodes][nodes];
        for (int i = 0; i < nodes; i++) {
            for (int j = 0; j < nodes; j++) {
                graph[i][j] = i == j ? 0 : random.nextInt(1, 100_000);
            }
        }
        return graph;
    }

    @Override
    public Object expected() {
        long[][] d = graph();
        for (int k = 0; k < nodes; k++) {
            for (int i = 0; i < nodes; i++) {
                for (int j = 0; j < nodes; j++) {
                    d[i][j] = Math.min(d[i][j], d[i][k] + d[k][j]);
                }
            }
        }
        return java.util.Arrays.stream(d)
                .flatMapToLong(java.util.Arrays::stream)
                .sum();
    }

    @Override
    public SavinaActor main() {
        return new Master(graph());
    }

    private static final class Master extends SavinaActor {
        private final long[][] graph;
        private final int blocks;
        private int known;
        private long sum;

        Master(long[][] graph) {
            this.graph = graph;
            blocks = graph.length / BLOCK;
        }

        @Override
        protected void receive(Object message) {
            if (message != START) {
                sum += (Long) message;
                if (++known == blocks * blocks) {
                    finish(sum);
                    stop();
                }
                return;
            }
            var all = new Object[blocks][blocks];
            for (int i = 0; i < blocks; i++) {
                for (int j = 0; j < blocks; j++) {
                    all[i][j] = spawn(new Block(self(), i, j, graph));
                }
            }
            for (Object[] row : all) {
                for (Object block : row) {
                    tell(block, all);
                }
            }
        }
    }

    private static final class Block extends SavinaActor {
        private final Object master;
        private final int row;
        private final int column;
        private final long[][] distances = new long[BLOCK][];
        private final long[][] rows; // by step, as far as received
        private final long[][] columns;
        private Object[][] all = {};
        private int step;

        Block(Object master, int row, int column, long[][] graph) {
            this.master = master;
            this.row = row;
            this.column = column;
            for (int i = 0; i < BLOCK; i++) {
                distances[i] =
                        java.util.Arrays.copyOfRange(graph[row * BLOCK + i], column * BLOCK, (column + 1) * BLOCK);
            }
            rows = new long[graph.length][];
            columns = new long[graph.length][];
            java.util.Arrays.fill(rows, NONE);
            java.util.Arrays.fill(columns, NONE);
        }

        @Override
        protected void receive(Object message) {
            if (message instanceof Line line) {
                (line.isRow ? rows : columns)[line.step] = line.values;
            } else {
                all = (Object[][]) message;
                send();
            }
            while (all.length > 0 && step < rows.length && rows[step] != NONE && columns[step] != NONE) {
                relax(rows[step], columns[step]);
                rows[step] = NONE;
                columns[step] = NONE;
                if (++step < rows.length) {
                    send();
                } else {
                    report();
                }
            }
        }

        private void relax(long[] r, long[] c) {
            for (int i = 0; i < BLOCK; i++) {
                long[] line = distances[i];
                for (int j = 0; j < BLOCK; j++) {
                    line[j] = Math.min(line[j], c[i] + r[j]);
                }
            }
        }

        /** Sends the row and the column of this step, if they are in this block, to all blocks including this one. */
        private void send() {
            int at = step % BLOCK;
            if (row == step / BLOCK) {
                var message = new Line(true, step, distances[at].clone());
                for (Object[] line : all) {
                    tell(line[column], message);
                }
            }
            if (column == step / BLOCK) {
                var values = new long[BLOCK];
                for (int i = 0; i < BLOCK; i++) {
                    values[i] = distances[i][at];
                }
                var message = new Line(false, step, values);
                for (Object block : all[row]) {
                    tell(block, message);
                }
            }
        }

        private void report() {
            long sum = 0;
            for (long[] line : distances) {
                for (long distance : line) {
                    sum += distance;
                }
            }
            tell(master, sum);
            stop();
        }
    }
}
