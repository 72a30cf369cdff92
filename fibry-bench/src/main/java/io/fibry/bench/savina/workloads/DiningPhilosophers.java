package io.fibry.bench.savina.workloads;

import io.fibry.bench.savina.SavinaActor;
import io.fibry.bench.savina.Workload;

/** Dining philosophers: 20 philosophers ask an arbiter for two forks, and ask again after a refusal. */
public record DiningPhilosophers(int meals) implements Workload {

    private static final int PHILOSOPHERS = 20;

    private record Hungry(int seat, Object from) {}

    private record Done(int seat) {}

    private record Left(int meals) {}

    private static final Object EAT = new Object();
    private static final Object DENIED = new Object();

    @Override
    public Object expected() {
        return PHILOSOPHERS * meals;
    }

    @Override
    public SavinaActor main() {
        return new Arbiter(meals);
    }

    private static final class Arbiter extends SavinaActor {
        private final int meals;
        private final boolean[] taken = new boolean[PHILOSOPHERS];
        private int left = PHILOSOPHERS;
        private int eaten;

        Arbiter(int meals) {
            this.meals = meals;
        }

        @Override
        protected void receive(Object message) {
            if (message instanceof Hungry hungry) {
                serve(hungry);
            } else if (message instanceof Done done) {
                take(done.seat(), false);
            } else if (message instanceof Left gone) {
                eaten += gone.meals();
                if (--left == 0) {
                    finish(eaten);
                    stop();
                }
            } else {
                for (int i = 0; i < PHILOSOPHERS; i++) {
                    tell(spawn(new Philosopher(i, meals, self())), START);
                }
            }
        }

        private void serve(Hungry hungry) {
            int seat = hungry.seat();
            if (taken[seat] || taken[(seat + 1) % PHILOSOPHERS]) {
                tell(hungry.from(), DENIED);
            } else {
                take(seat, true);
                tell(hungry.from(), EAT);
            }
        }

        private void take(int seat, boolean take) {
            taken[seat] = take;
            taken[(seat + 1) % PHILOSOPHERS] = take;
        }
    }

    private static final class Philosopher extends SavinaActor {
        private final int seat;
        private final int meals;
        private final Object arbiter;
        private int eaten;

        Philosopher(int seat, int meals, Object arbiter) {
            this.seat = seat;
            this.meals = meals;
            this.arbiter = arbiter;
        }

        @Override
        protected void receive(Object message) {
            if (message == EAT) {
                tell(arbiter, new Done(seat));
                if (++eaten == meals) {
                    tell(arbiter, new Left(eaten));
                    stop();
                    return;
                }
            }
            tell(arbiter, new Hungry(seat, self()));
        }
    }
}
