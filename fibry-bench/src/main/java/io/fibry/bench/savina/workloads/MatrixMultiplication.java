package io.fibry.bench.savina.workloads;

import io.fibry.bench.savina.SavinaActor;
import io.fibry.bench.savina.Workload;
import java.util.ArrayDeque;

/**
 * Recursive matrix multiplication: 20 workers get parts of the product from a master. A worker splits a large part into
 * four, which the master redistributes, and computes a small part.
 */
public record MatrixMultiplication(int size) implements Workload {

    private static final int WORKERS = 20;
    private static final int AT_ONCE = 32;

    private record Part(int row, int column, int side) {}

    private record Split(Object worker, Part part) {}

    private record Computed(Object worker) {}

    private static final class Matrices {
        private final double[][] a;
        private final double[][] b;
        private final double[][] c;

        /** Multiplies constant rows by constant columns, so that every product is known. */
        Matrices(int size) {
            a = new double[size][size];
            b = new double[size][size];
            c = new double[size][size];
            for (int i = 0; i < size; i++) {
                for (int j = 0; j < size; j++) {
                    a[i][j] = i;
                    b[i][j] = j;
                }
            }
        }

        void multiply(Part part) {
            for (int i = part.row(); i < part.row() + part.side(); i++) {
                for (int k = 0; k < a.length; k++) {
                    double factor = a[i][k];
                    for (int j = part.column(); j < part.column() + part.side(); j++) {
                        c[i][j] += factor * b[k][j];
                    }
                }
            }
        }

        boolean isRight() {
            for (int i = 0; i < c.length; i++) {
                for (int j = 0; j < c.length; j++) {
                    if (c[i][j] != (double) c.length * i * j) {
                        return false;
                    }
                }
            }
            return true;
        }
    }

    @Override
    public Object expected() {
        return true;
    }

    @Override
    public SavinaActor main() {
        return new Master(new Matrices(size));
    }

    private static final class Master extends SavinaActor {
        private final Matrices matrices;
        private final ArrayDeque<Part> parts = new ArrayDeque<>();
        private final ArrayDeque<Object> idle = new ArrayDeque<>();

        Master(Matrices matrices) {
            this.matrices = matrices;
        }

        @Override
        protected void receive(Object message) {
            if (message instanceof Split split) {
                Part part = split.part();
                int half = part.side() / 2;
                for (int i = 0; i < 4; i++) {
                    parts.add(new Part(part.row() + i / 2 * half, part.column() + i % 2 * half, half));
                }
                idle.add(split.worker());
            } else if (message instanceof Computed computed) {
                idle.add(computed.worker());
            } else {
                for (int i = 0; i < WORKERS; i++) {
                    idle.add(spawn(new Worker(matrices, self())));
                }
                parts.add(new Part(0, 0, matrices.a.length));
            }
            while (!parts.isEmpty() && !idle.isEmpty()) {
                tell(idle.remove(), parts.remove());
            }
            if (idle.size() == WORKERS) {
                stopAll(idle.toArray());
                finish(matrices.isRight());
                stop();
            }
        }
    }

    private static final class Worker extends SavinaActor {
        private final Matrices matrices;
        private final Object master;

        Worker(Matrices matrices, Object master) {
            this.matrices = matrices;
            this.master = master;
        }

        @Override
        protected void receive(Object message) {
            var part = (Part) message;
            if (part.side() > AT_ONCE) {
                tell(master, new Split(self(), part));
            } else {
                matrices.multiply(part);
                tell(master, new Computed(self()));
            }
        }
    }
}
