package io.fibry.bench.savina.workloads;

import io.fibry.bench.savina.SavinaActor;
import io.fibry.bench.savina.Workload;

/** Trapezoidal approximation: 100 workers integrate a function, each over a part of the interval. */
public record Trapezoid(int pieces) implements Workload {

    private static final int WORKERS = 100;
    private static final double FROM = 1;
    private static final double TO = 5;

    private record Part(Object master, int index, int pieces) {}

    private record Area(int index, double area) {}

    private static double value(double x) {
        return Math.sin(x * x * x - 1) / (x + 1) * Math.sqrt(1 + Math.exp(Math.sqrt(2 * x)));
    }

    private static double area(int part, int pieces) {
        double width = (TO - FROM) / WORKERS / pieces;
        double left = FROM + part * (TO - FROM) / WORKERS;
        double area = 0;
        for (int i = 0; i < pieces; i++) {
            area += (value(left + i * width) + value(left + (i + 1) * width)) / 2 * width;
        }
        return area;
    }

    @Override
    public Object expected() {
        double sum = 0;
        for (int w = 0; w < WORKERS; w++) {
            sum += area(w, pieces / WORKERS);
        }
        return sum;
    }

    @Override
    public SavinaActor main() {
        return new Master(pieces / WORKERS);
    }

    private static final class Master extends SavinaActor {
        private final int pieces;
        private final double[] areas = new double[WORKERS];
        private int known;

        Master(int pieces) {
            this.pieces = pieces;
        }

        @Override
        protected void receive(Object message) {
            if (message == START) {
                for (int w = 0; w < WORKERS; w++) {
                    tell(spawn(new Worker()), new Part(self(), w, pieces));
                }
                return;
            }
            var area = (Area) message;
            areas[area.index()] = area.area();
            if (++known == WORKERS) {
                double sum = 0;
                for (double one : areas) {
                    sum += one;
                }
                finish(sum);
                stop();
            }
        }
    }

    private static final class Worker extends SavinaActor {
        @Override
        protected void receive(Object message) {
            var part = (Part) message;
            tell(part.master(), new Area(part.index(), area(part.index(), part.pieces())));
            stop();
        }
    }
}
