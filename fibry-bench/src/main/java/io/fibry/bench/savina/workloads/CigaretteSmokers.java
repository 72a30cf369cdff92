package io.fibry.bench.savina.workloads;

import io.fibry.bench.savina.SavinaActor;
import io.fibry.bench.savina.Workload;
import java.util.SplittableRandom;

/** Cigarette smokers: an arbiter starts 200 smokers one after the other, and each is busy for a while. */
public record CigaretteSmokers(int rounds) implements Workload {

    private static final int SMOKERS = 200;
    private static final int LONGEST = 1_000;

    private record Smoke(int steps) {}

    private record Smoked(int times) {}

    private static final Object STARTED = new Object();
    private static final Object LEAVE = new Object();

    @Override
    public Object expected() {
        return rounds;
    }

    @Override
    public SavinaActor main() {
        return new Arbiter(rounds);
    }

    private static final class Arbiter extends SavinaActor {
        private final SplittableRandom random = new SplittableRandom(1);
        private final Object[] smokers = new Object[SMOKERS];
        private int left;
        private int gone;
        private int smoked;

        Arbiter(int rounds) {
            left = rounds;
        }

        @Override
        protected void receive(Object message) {
            if (message instanceof Smoked by) {
                smoked += by.times();
                if (++gone == SMOKERS) {
                    finish(smoked);
                    stop();
                }
                return;
            }
            if (message == START) {
                for (int i = 0; i < SMOKERS; i++) {
                    smokers[i] = spawn(new Smoker(i, self()));
                }
            }
            if (left-- > 0) {
                tell(smokers[random.nextInt(SMOKERS)], new Smoke(random.nextInt(LONGEST) + 10));
            } else {
                for (Object smoker : smokers) {
                    tell(smoker, LEAVE);
                }
            }
        }
    }

    private static final class Smoker extends SavinaActor {
        private final SplittableRandom random;
        private final Object arbiter;
        private int times;

        Smoker(int seed, Object arbiter) {
            random = new SplittableRandom(seed);
            this.arbiter = arbiter;
        }

        @Override
        protected void receive(Object message) {
            if (message instanceof Smoke smoke) {
                tell(arbiter, STARTED);
                times += Busy.work(random, smoke.steps()) == 0 ? 0 : 1;
            } else {
                tell(arbiter, new Smoked(times));
                stop();
            }
        }
    }
}
