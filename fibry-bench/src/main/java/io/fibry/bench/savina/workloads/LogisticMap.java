package io.fibry.bench.savina.workloads;

import io.fibry.bench.savina.SavinaActor;
import io.fibry.bench.savina.Workload;

/**
 * Logistic map: many series, each an actor that asks another one for its next term, and waits for it before the next
 * step. In the plain style, the series counts the pending steps; in the stash style, it stashes all messages until the
 * term arrives.
 */
public record LogisticMap(int series, boolean stashing) implements Workload {

    private static final int TERMS = 100;
    private static final int COMPUTERS = 10;
    private static final double START_RATE = 3.46;
    private static final double INCREMENT = 0.0025;

    private record Compute(double term, Object from) {}

    private record Result(double term) {}

    private record GetTerm(Object from) {}

    private record Term(int index, double value) {}

    private static final Object NEXT = new Object();

    private static double rate(int computer) {
        return START_RATE + computer * INCREMENT;
    }

    private static double next(double rate, double term) {
        return rate * term * (1 - term);
    }

    private static double first(int index) {
        return (index + 1.0) / (index + 2.0);
    }

    @Override
    public Object expected() {
        double sum = 0;
        for (int i = 0; i < series; i++) {
            double term = first(i);
            for (int t = 0; t < TERMS; t++) {
                term = next(rate(i % COMPUTERS), term);
            }
            sum += term;
        }
        return sum;
    }

    @Override
    public SavinaActor main() {
        return new Master(series, stashing);
    }

    private static final class Master extends SavinaActor {
        private final boolean stashing;
        private final Object[] computers = new Object[COMPUTERS];
        private final double[] terms;
        private int known;

        Master(int series, boolean stashing) {
            this.stashing = stashing;
            terms = new double[series];
        }

        @Override
        protected void receive(Object message) {
            if (message == START) {
                begin();
                return;
            }
            var term = (Term) message;
            terms[term.index()] = term.value();
            if (++known == terms.length) {
                double sum = 0;
                for (double value : terms) {
                    sum += value;
                }
                stopAll(computers);
                finish(sum);
                stop();
            }
        }

        private void begin() {
            for (int i = 0; i < COMPUTERS; i++) {
                computers[i] = spawn(new Computer(rate(i)));
            }
            var all = new Object[terms.length];
            for (int i = 0; i < all.length; i++) {
                Object computer = computers[i % COMPUTERS];
                all[i] = spawn(stashing ? new StashingSeries(i, computer) : new CountingSeries(i, computer));
            }
            for (int t = 0; t < TERMS; t++) {
                for (Object one : all) {
                    tell(one, NEXT);
                }
            }
            var get = new GetTerm(self());
            for (Object one : all) {
                tell(one, get);
            }
        }
    }

    private static final class Computer extends SavinaActor {
        private final double rate;

        Computer(double rate) {
            this.rate = rate;
        }

        @Override
        protected void receive(Object message) {
            var compute = (Compute) message;
            tell(compute.from(), new Result(next(rate, compute.term())));
        }
    }

    private static final class CountingSeries extends SavinaActor {
        private final int index;
        private final Object computer;
        private double term;
        private int steps;
        private boolean waits;
        private Object asker = STOP;

        CountingSeries(int index, Object computer) {
            this.index = index;
            this.computer = computer;
            term = first(index);
        }

        @Override
        protected void receive(Object message) {
            if (message == NEXT) {
                steps++;
            } else if (message instanceof Result result) {
                term = result.term();
                waits = false;
            } else {
                asker = ((GetTerm) message).from();
            }
            if (!waits && steps > 0) {
                steps--;
                waits = true;
                tell(computer, new Compute(term, self()));
            } else if (!waits && asker != STOP) {
                tell(asker, new Term(index, term));
                stop();
            }
        }
    }

    private static final class StashingSeries extends SavinaActor {
        private final int index;
        private final Object computer;
        private double term;
        private boolean waits;

        StashingSeries(int index, Object computer) {
            this.index = index;
            this.computer = computer;
            term = first(index);
        }

        @Override
        protected boolean stashes() {
            return true;
        }

        @Override
        protected void receive(Object message) {
            if (message instanceof Result result) {
                term = result.term();
                waits = false;
                unstash(1);
            } else if (waits) {
                stash(message);
            } else if (message == NEXT) {
                waits = true;
                tell(computer, new Compute(term, self()));
            } else {
                tell(((GetTerm) message).from(), new Term(index, term));
                stop();
            }
        }
    }
}
