package io.fibry.bench.savina.workloads;

import io.fibry.bench.savina.SavinaActor;
import io.fibry.bench.savina.Workload;
import java.util.SplittableRandom;

/**
 * Successive over-relaxation: a square of actors, colored like a chess board. The cells of one color wait for the
 * values of their neighbors, compute their own values and send them; then the cells of the other color do the same.
 */
public record OverRelaxation(int steps) implements Workload {

    private static final int SIDE = 40;
    private static final double OMEGA = 1.25;
    private static final int[][] DIRECTIONS = {{-1, 0}, {0, -1}, {0, 1}, {1, 0}}; // the opposite of d is 3 - d

    private record Value(int direction, double value) {}

    private record Result(int cell, double value) {}

    private static boolean inside(int i, int j) {
        return i >= 0 && j >= 0 && i < SIDE && j < SIDE;
    }

    private static double[][] input() {
        var random = new SplittableRandom(1);
        var values = new double[SIDE][SIDE];
        for (double[] row : values) {
            java.util.Arrays.setAll(row, j -> random.nextDouble());
        }
        return values;
    }

    private static double relaxed(double own, double[] around) {
        double sum = 0;
        for (double value : around) {
            sum += value;
        }
        return OMEGA / 4 * sum + (1 - OMEGA) * own;
    }

    @Override
    public Object expected() {
        double[][] grid = input();
        for (int step = 0; step < 2 * steps; step++) {
            for (int i = 0; i < SIDE; i++) {
                for (int j = 0; j < SIDE; j++) {
                    if ((i + j) % 2 == step % 2) {
                        grid[i][j] = relaxed(grid[i][j], around(grid, i, j));
                    }
                }
            }
        }
        double sum = 0;
        for (double[] row : grid) {
            for (double value : row) {
                sum += value;
            }
        }
        return sum;
    }

    private static double[] around(double[][] grid, int i, int j) {
        var around = new double[4];
        for (int d = 0; d < 4; d++) {
            int row = i + DIRECTIONS[d][0];
            int column = j + DIRECTIONS[d][1];
            around[d] = inside(row, column) ? grid[row][column] : 0;
        }
        return around;
    }

    @Override
    public SavinaActor main() {
        return new Runner(steps);
    }

    private static final class Runner extends SavinaActor {
        private final int steps;
        private final double[] results = new double[SIDE * SIDE];
        private int known;

        Runner(int steps) {
            this.steps = steps;
        }

        @Override
        protected void receive(Object message) {
            if (message == START) {
                begin();
                return;
            }
            var result = (Result) message;
            results[result.cell()] = result.value();
            if (++known == results.length) {
                double sum = 0;
                for (double value : results) {
                    sum += value;
                }
                finish(sum);
                stop();
            }
        }

        private void begin() {
            double[][] input = input();
            var cells = new Object[SIDE][SIDE];
            for (int i = 0; i < SIDE; i++) {
                for (int j = 0; j < SIDE; j++) {
                    cells[i][j] = spawn(new Cell(self(), i * SIDE + j, (i + j) % 2 == 0, input[i][j], steps));
                }
            }
            for (int i = 0; i < SIDE; i++) {
                for (int j = 0; j < SIDE; j++) {
                    var around = new Object[4];
                    for (int d = 0; d < 4; d++) {
                        int row = i + DIRECTIONS[d][0];
                        int column = j + DIRECTIONS[d][1];
                        around[d] = inside(row, column) ? cells[row][column] : STOP;
                    }
                    tell(cells[i][j], around);
                }
            }
        }
    }

    private static final class Cell extends SavinaActor {
        private final Object runner;
        private final int number;
        private final boolean isFirst;
        private final double[] around = new double[4];
        private double value;
        private int left;
        private Object[] neighbours = {};
        private int count;
        private int come;

        Cell(Object runner, int number, boolean isFirst, double value, int steps) {
            this.runner = runner;
            this.number = number;
            this.isFirst = isFirst;
            this.value = value;
            left = steps;
        }

        @Override
        protected void receive(Object message) {
            if (message instanceof Value from) {
                around[from.direction()] = from.value();
                come++;
            } else {
                neighbours = (Object[]) message;
                for (Object neighbour : neighbours) {
                    count += neighbour == STOP ? 0 : 1;
                }
                if (!isFirst) {
                    send();
                }
            }
            if (neighbours.length > 0 && come == count) {
                come = 0;
                value = relaxed(value, around);
                left--;
                if (left > 0 || isFirst) { // no cell waits for the last values of the second color
                    send();
                }
                if (left == 0) {
                    tell(runner, new Result(number, value));
                    stop();
                }
            }
        }

        private void send() {
            for (int d = 0; d < 4; d++) {
                if (neighbours[d] != STOP) {
                    tell(neighbours[d], new Value(3 - d, value));
                }
            }
        }
    }
}
