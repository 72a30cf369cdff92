package io.fibry.bench.report;

import java.util.ArrayList;
import java.util.List;

/** Statistics for a small number of forks with an unknown distribution. */
final class Statistics {

    private Statistics() {}

    /**
     * The ratio of two samples.
     *
     * @param estimate the ratio of the second to the first
     * @param low the lower bound of its confidence interval; 0 if the samples are too small
     * @param high the upper bound; infinite if the samples are too small
     */
    record Ratio(double estimate, double low, double high) {

        /** Returns whether both bounds are known. */
        boolean known() {
            return low > 0 && high < Double.POSITIVE_INFINITY;
        }

        /** Returns whether the interval excludes 1, which means no change. */
        boolean moved() {
            return known() && (low > 1 || high < 1);
        }
    }

    /** Returns the median. */
    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int n = sorted.size();
        return n == 0 ? Double.NaN : (sorted.get((n - 1) / 2) + sorted.get(n / 2)) / 2;
    }

    /**
     * Returns the ratio of two samples with its confidence interval: the estimate of Hodges and Lehmann, which is the
     * median of all ratios of a value of the second sample to a value of the first, and the interval of Moses, whose
     * bounds are the ratios selected by the exact distribution of Mann and Whitney's U. The interval therefore excludes
     * 1 if and only if the two-sided test of Mann and Whitney finds a difference. It requires no normal distribution,
     * and no equal variances of logarithms beyond a shift. With fewer than 5 forks on both sides, a confidence of 99 %
     * is not attainable.
     *
     * <p>Source: Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, 3rd edition, sections 4.1 to 4.3;
     * here on the logarithms of the values, since differences of speed are factors.
     *
     * @param level the confidence, such as 0.99
     */
    static Ratio ratio(List<Double> first, List<Double> second, double level) {
        var ratios = new ArrayList<Double>();
        for (double a : first) {
            for (double b : second) {
                ratios.add(b / a);
            }
        }
        ratios.sort(null);
        int cut = cut(first.size(), second.size(), (1 - level) / 2);
        return new Ratio(
                median(ratios),
                cut < 0 ? 0 : ratios.get(cut),
                cut < 0 ? Double.POSITIVE_INFINITY : ratios.get(ratios.size() - 1 - cut));
    }

    /** The largest c with P(U <= c) <= tail when nothing differs; -1 if even U = 0 is likelier than that. */
    private static int cut(int m, int n, double tail) {
        double[] ways = ways(m, n);
        double all = 0;
        for (double w : ways) {
            all += w;
        }
        double sum = 0;
        for (int u = 0; u < ways.length; u++) {
            sum += ways[u];
            if (sum / all > tail) {
                return u - 1;
            }
        }
        return ways.length - 1;
    }

    /** Returns the number of orders of m and n values for each U: the coefficients of the Gaussian binomial. */
    private static double[] ways(int m, int n) {
        double[] ways = new double[m * n + 1];
        ways[0] = 1;
        for (int i = 1; i <= m; i++) { // times (1 - q^(n+i)) / (1 - q^i)
            for (int u = ways.length - 1; u >= n + i; u--) {
                ways[u] -= ways[u - n - i];
            }
            for (int u = i; u < ways.length; u++) {
                ways[u] += ways[u - i];
            }
        }
        return ways;
    }
}
