package io.fibry.bench.savina.workloads;

import io.fibry.bench.savina.SavinaActor;
import io.fibry.bench.savina.Workload;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Precise computation of pi: a master distributes the terms of the series of Bailey, Borwein and Plouffe to 20 workers.
 */
public record PrecisePi(int digits) implements Workload {

    private static final int WORKERS = 20;
    private static final int SPARE = 10; // digits that absorb the rounding of all terms

    private record Work(Object master, int term, int scale) {}

    private record Result(Object worker, BigDecimal term) {}

    private static BigDecimal term(int k, int scale) {
        BigDecimal sum = part(4, 8 * k + 1, scale)
                .subtract(part(2, 8 * k + 4, scale))
                .subtract(part(1, 8 * k + 5, scale))
                .subtract(part(1, 8 * k + 6, scale));
        return sum.divide(BigDecimal.valueOf(16).pow(k), scale, RoundingMode.HALF_EVEN);
    }

    private static BigDecimal part(int above, int below, int scale) {
        return BigDecimal.valueOf(above).divide(BigDecimal.valueOf(below), scale, RoundingMode.HALF_EVEN);
    }

    /** Computes pi by Machin's formula, an independent method that reveals errors in the series. */
    @Override
    public Object expected() {
        BigDecimal pi =
                arctan(5).multiply(BigDecimal.valueOf(16)).subtract(arctan(239).multiply(BigDecimal.valueOf(4)));
        return pi.setScale(digits, RoundingMode.FLOOR);
    }

    private BigDecimal arctan(int inverse) {
        BigDecimal power = BigDecimal.ONE.divide(BigDecimal.valueOf(inverse), digits + SPARE, RoundingMode.HALF_EVEN);
        BigDecimal square = BigDecimal.valueOf((long) inverse * inverse);
        BigDecimal sum = BigDecimal.ZERO;
        for (int n = 0; power.signum() != 0; n++) {
            BigDecimal term = power.divide(BigDecimal.valueOf(2L * n + 1), digits + SPARE, RoundingMode.HALF_EVEN);
            sum = n % 2 == 0 ? sum.add(term) : sum.subtract(term);
            power = power.divide(square, digits + SPARE, RoundingMode.HALF_EVEN);
        }
        return sum;
    }

    @Override
    public SavinaActor main() {
        return new Master(digits);
    }

    private static final class Master extends SavinaActor {
        private final int digits;
        private int next;
        private int left;
        private int workers = WORKERS;
        private BigDecimal sum = BigDecimal.ZERO;

        Master(int digits) {
            this.digits = digits;
            left = (int) Math.ceil((digits + SPARE) / Math.log10(16)); // a term has 1.2 digits
        }

        @Override
        protected void receive(Object message) {
            if (message instanceof Result result) {
                sum = sum.add(result.term());
                giveWork(result.worker());
                return;
            }
            for (int i = 0; i < WORKERS; i++) {
                giveWork(spawn(new Worker()));
            }
        }

        private void giveWork(Object worker) {
            if (left-- > 0) {
                tell(worker, new Work(self(), next++, digits + SPARE));
                return;
            }
            tell(worker, STOP);
            if (--workers == 0) {
                finish(sum.setScale(digits, RoundingMode.FLOOR));
                stop();
            }
        }
    }

    private static final class Worker extends SavinaActor {
        @Override
        protected void receive(Object message) {
            var work = (Work) message;
            tell(work.master(), new Result(self(), term(work.term(), work.scale())));
        }
    }
}
