package io.fibry.bench.report;

import java.util.ArrayList;
import java.util.List;

/** Statistics for a handful of forks, of whose distribution nothing is known. */
final class Statistics {

    private Statistics() {}

    /**
     * By how much the second sample differs from the first.
     *
     * @param estimate the ratio of the second to the first
     * @param low lower end of its confidence interval; 0 if the samples are too small to tell
     * @param high upper end; infinite if the samples are too small to tell
     */
    record Ratio(double estimate, double low, double high) {

        /** Whether both ends are known. */
        boolean known() {
            return low > 0 && high < Double.POSITIVE_INFINITY;
        }

        /** Whether the interval leaves out 1: no change. */
        boolean moved() {
            return known() && (low > 1 || high < 1);
        }
    }

    /** The value in the middle, or the mean of the two in the middle. */
    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int n = sorted.size();
        return n == 0 ? Double.NaN : (sorted.get((n - 1) / 2) + sorted.get(n / 2)) / 2;
    }

    /**
     * The ratio of two samples with its confidence interval: the estimate of Hodges and Lehmann, the median of all ratios of a
     * value of the second to one of the first, and the interval of Moses, whose ends are those ratios that the exact
     * distribution of Mann and Whitney's U picks. So the interval leaves out 1 just when the two-sided test of Mann and Whitney
     * finds a difference. It needs no normal distribution and no equal variances of logarithms beyond a shift, and with fewer
     * than 5 forks on both sides it cannot be 99 % sure of anything.
     *
     * <p>Source: Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, 3rd edition, sections 4.1 to 4.3; here on the
     * logarithms of the values, since differences of speed are factors.
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

    /** How many orders of m and n values have which U: the coefficients of the Gaussian binomial. */
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
