package io.fibry.bench.savina.workloads;

import io.fibry.bench.savina.SavinaActor;
import io.fibry.bench.savina.Workload;

/** Sieve of Eratosthenes: numbers pass through a chain of actors, each of which stores up to 1,000 primes. */
public record Sieve(int below) implements Workload {

    private static final int PRIMES_EACH = 1_000;

    private record Count(int primes) {}

    private static final Object EXIT = new Object();

    @Override
    public Object expected() {
        var composite = new boolean[below];
        int primes = 0;
        for (int i = 2; i < below; i++) {
            primes += composite[i] ? 0 : 1;
            for (int j = 2 * i; !composite[i] && j < below; j += i) {
                composite[j] = true;
            }
        }
        return primes;
    }

    @Override
    public SavinaActor main() {
        return new Producer(below);
    }

    private static final class Producer extends SavinaActor {
        private final int below;
        private Object first = STOP;

        Producer(int below) {
            this.below = below;
        }

        @Override
        protected void receive(Object message) {
            if (message instanceof Count count) {
                tell(first, EXIT);
                finish(count.primes());
                stop();
                return;
            }
            first = spawn(new Filter(self(), 2));
            for (int i = 3; i < below; i += 2) {
                tell(first, i);
            }
            tell(first, new Count(0));
        }
    }

    private static final class Filter extends SavinaActor {
        private final Object producer;
        private final int[] primes = new int[PRIMES_EACH];
        private int count = 1;
        private Object next = STOP;

        Filter(Object producer, int first) {
            this.producer = producer;
            primes[0] = first;
        }

        @Override
        protected void receive(Object message) {
            if (message instanceof Count soFar) {
                var sum = new Count(soFar.primes() + count);
                tell(next == STOP ? producer : next, sum);
            } else if (message == EXIT) {
                if (next != STOP) {
                    tell(next, EXIT);
                }
                stop();
            } else {
                candidate((Integer) message, message);
            }
        }

        private void candidate(int number, Object message) {
            for (int i = 0; i < count; i++) {
                if (number % primes[i] == 0) {
                    return;
                }
            }
            if (next != STOP) {
                tell(next, message);
            } else if (count < PRIMES_EACH) {
                primes[count++] = number;
            } else {
                next = spawn(new Filter(producer, number));
            }
        }
    }
}
