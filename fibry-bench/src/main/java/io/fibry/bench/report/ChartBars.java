package io.fibry.bench.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.Paint;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.CategoryItemRendererState;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.data.category.CategoryDataset;

/** Draws the bars of a {@link Chart}, with their whiskers and labels, and highlights this library. */
final class ChartBars extends BarRenderer {

    private static final long serialVersionUID = 1L;

    private static final Color OURS = new Color(0x0969da);
    private static final Color OURS_TOO = new Color(0x80b8f0);
    private static final Color OTHERS = new Color(0xb8c0ca);
    private static final float WHISKER = 5;

    private final transient List<Chart.Bar> bars;
    private final transient Unit unit;

    ChartBars(List<Chart.Bar> bars, Unit unit, ValueAxis values) {
        this.bars = bars;
        this.unit = unit;
        setBarPainter(new StandardBarPainter());
        setShadowVisible(false);
        setDrawBarOutline(false);
        setBase(values.getLowerBound());
        setIncludeBaseInRange(false);
        setMaximumBarWidth(0.2);
    }

    @Override
    public Paint getItemPaint(int row, int column) {
        String peer = bars.get(column).peer();
        boolean first = PeerNames.ours(bars.stream().map(Chart.Bar::peer)).equals(peer);
        return first ? OURS : PeerNames.isOurs(peer) ? OURS_TOO : OTHERS;
    }

    @Override
    public void drawItem(
            Graphics2D g,
            CategoryItemRendererState state,
            Rectangle2D area,
            CategoryPlot plot,
            CategoryAxis categories,
            ValueAxis values,
            CategoryDataset data,
            int row,
            int column,
            int pass) {
        super.drawItem(g, state, area, plot, categories, values, data, row, column, pass);
        Chart.Bar bar = bars.get(column);
        double y = categories.getCategoryMiddle(column, data.getColumnCount(), area, RectangleEdge.LEFT);
        double end = area.getMinX();
        if (bar.figure() != null) {
            double from = x(bar.figure().min(), values, area);
            double to = x(bar.figure().max(), values, area);
            whisker(g, from, to, y);
            end = Math.max(to, x(bar.figure().median(), values, area));
        }
        boolean ours = getItemPaint(row, column).equals(OURS);
        g.setFont(Chart.font(
                bar.figure() == null ? Font.ITALIC : ours ? Font.BOLD : Font.PLAIN, bar.figure() == null ? 13 : 15));
        var metrics = g.getFontMetrics();
        List<String> lines = bar.figure() == null ? Chart.lines(bar.label()) : List.of(bar.label());
        int width = lines.stream().mapToInt(metrics::stringWidth).max().orElse(0);
        double top = y - lines.size() * metrics.getHeight() / 2.0;
        g.setPaint(Color.WHITE); // hides the grid behind the text
        g.fill(new Rectangle2D.Double(end + 6, top, width + 4, lines.size() * metrics.getHeight()));
        g.setPaint(bar.figure() == null ? Chart.MUTED : Chart.TEXT);
        for (String line : lines) {
            g.drawString(line, (float) end + 8, (float) top + metrics.getAscent());
            top += metrics.getHeight();
        }
    }

    private double x(double value, ValueAxis values, Rectangle2D area) {
        return values.valueToJava2D(unit.in(value), area, RectangleEdge.BOTTOM);
    }

    private static void whisker(Graphics2D g, double from, double to, double y) {
        g.setPaint(Chart.TEXT);
        g.setStroke(new BasicStroke(1.4f));
        g.draw(new Line2D.Double(from, y, to, y));
        g.draw(new Line2D.Double(from, y - WHISKER, from, y + WHISKER));
        g.draw(new Line2D.Double(to, y - WHISKER, to, y + WHISKER));
    }
}
