package io.fibry.bench.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.ChartUtils;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.HorizontalAlignment;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.category.DefaultCategoryDataset;

/**
 * A chart of one question: a bar for the median of each peer, best on top, with a whisker from the worst to the best
 * fork.
 */
final class Chart {

    static final Color TEXT = new Color(0x24292f);
    static final Color MUTED = new Color(0x57606a);

    private static final double LOG_FROM = 30; // shorter bars than a 30th of the longest cannot be compared by eye
    private static final int WIDTH = 880; // that of a README on GitHub
    private static final int SCALE = 2; // pixels of dense screens
    private static final int LINE = 80; // characters beside the name of a peer

    /**
     * A bar of the chart.
     *
     * @param peer the name in the benchmark
     * @param figure null if there is none
     * @param label the text after the bar
     */
    record Bar(
            String peer, @org.jspecify.annotations.Nullable Figure figure, String label) {}

    private Chart() {}

    static void write(Answers answers, Path png) throws IOException {
        List<Bar> bars = bars(answers);
        JFreeChart chart = chart(answers, bars);
        try (OutputStream out = Files.newOutputStream(png)) {
            ChartUtils.writeScaledChartAsPNG(out, chart, WIDTH, 128 + 34 * bars.size(), SCALE, SCALE);
        }
    }

    static List<Bar> bars(Answers answers) {
        Unit unit = answers.unit();
        var bars = new ArrayList<Bar>();
        for (Figure figure : answers.figures()) {
            String label = unit.text(figure.median());
            Figure ours = answers.ours();
            if (ours != null && ours != figure) {
                label += "  (" + Unit.number(Statistics.median(figure.costsInUnitsOf(ours))) + " ×)";
            }
            bars.add(new Bar(figure.peer(), figure, label));
        }
        answers.gaps().forEach((peer, why) -> {
            if (answers.of(peer) == null) {
                bars.add(new Bar(peer, null, why));
            }
        });
        return bars;
    }

    /** Wraps the text to at most two lines, for which a bar has room. */
    static List<String> lines(String text) {
        if (text.length() <= LINE) {
            return List.of(text);
        }
        int space = text.lastIndexOf(' ', LINE);
        int end = space > 0 ? space : LINE;
        String rest = text.substring(end).strip();
        return List.of(text.substring(0, end), rest.length() <= LINE ? rest : rest.substring(0, LINE - 1) + "…");
    }

    private static JFreeChart chart(Answers answers, List<Bar> bars) {
        Unit unit = answers.unit();
        var data = new DefaultCategoryDataset();
        for (Bar bar : bars) {
            data.addValue(
                    bar.figure() == null ? null : unit.in(bar.figure().median()), "", PeerNames.title(bar.peer()));
        }
        ValueAxis values = valueAxis(answers, unit);
        var plot = new CategoryPlot(data, categoryAxis(), values, new ChartBars(bars, unit, values));
        plot.setOrientation(PlotOrientation.HORIZONTAL);
        plot.setRangeAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
        plot.setOutlineVisible(false);
        plot.setBackgroundPaint(Color.WHITE);
        plot.setRangeGridlinePaint(new Color(0xd8dee4));
        plot.setRangeGridlineStroke(new BasicStroke(1));
        plot.setAxisOffset(RectangleInsets.ZERO_INSETS);
        var chart = new JFreeChart(null, font(Font.PLAIN, 14), plot, false);
        chart.setBackgroundPaint(Color.WHITE);
        chart.setPadding(new RectangleInsets(14, 14, 10, 18));
        chart.addSubtitle(0, title(Titles.of(answers.question()), font(Font.BOLD, 19), TEXT));
        chart.addSubtitle(1, title(legend(answers, values), font(Font.PLAIN, 14), MUTED));
        return chart;
    }

    private static String legend(Answers answers, ValueAxis values) {
        String better = answers.moreIsBetter() ? "Longer is better" : "Shorter is better";
        return (answers.question().isNeutral() ? "Neither longer nor shorter is better" : better)
                + "; median of the forks, lowest to highest"
                + (answers.ours() == null ? "" : "; × is the cost, ours is 1")
                + (values instanceof LogAxis ? "; logarithmic scale" : "");
    }

    private static TextTitle title(String text, Font font, Color color) {
        var title = new TextTitle(text, font);
        title.setPaint(color);
        title.setHorizontalAlignment(HorizontalAlignment.LEFT);
        title.setTextAlignment(HorizontalAlignment.LEFT);
        title.setPadding(0, 2, 6, 0);
        return title;
    }

    private static CategoryAxis categoryAxis() {
        var axis = new CategoryAxis();
        axis.setTickLabelFont(font(Font.PLAIN, 15));
        axis.setTickLabelPaint(TEXT);
        axis.setMaximumCategoryLabelWidthRatio(0.35f);
        axis.setMaximumCategoryLabelLines(1);
        axis.setLowerMargin(0.02);
        axis.setUpperMargin(0.02);
        axis.setCategoryMargin(0.28);
        axis.setAxisLineVisible(false);
        axis.setTickMarksVisible(false);
        return axis;
    }

    private static ValueAxis valueAxis(Answers answers, Unit unit) {
        double low = answers.figures().stream()
                .mapToDouble(f -> unit.in(f.min()))
                .min()
                .orElse(1);
        double high = answers.figures().stream()
                .mapToDouble(f -> unit.in(f.max()))
                .max()
                .orElse(1);
        boolean log = low > 0 && high / low > LOG_FROM;
        String label = unit.name().replace("/s", " per second").strip();
        ValueAxis axis = log ? new LogAxis(label) : new NumberAxis(label);
        if (log) {
            double from = Math.pow(10, Math.floor(Math.log10(low / 2)));
            axis.setRange(from, high * Math.pow(high / from, 0.45)); // room for the labels
            ((LogAxis) axis).setNumberFormatOverride(new java.text.DecimalFormat("#,##0.###", symbols()));
        } else {
            axis.setRange(0, high > 0 ? high * 1.5 : 1);
            ((NumberAxis) axis).setNumberFormatOverride(new java.text.DecimalFormat("#,##0.###", symbols()));
        }
        axis.setLabelFont(font(Font.PLAIN, 14));
        axis.setLabelPaint(MUTED);
        axis.setTickLabelFont(font(Font.PLAIN, 13));
        axis.setTickLabelPaint(MUTED);
        axis.setAxisLineVisible(false);
        axis.setTickMarksVisible(false);
        axis.setMinorTickMarksVisible(false);
        return axis;
    }

    private static java.text.DecimalFormatSymbols symbols() {
        return java.text.DecimalFormatSymbols.getInstance(java.util.Locale.ROOT);
    }

    static Font font(int style, int size) {
        return new Font(Font.SANS_SERIF, style, size);
    }
}
