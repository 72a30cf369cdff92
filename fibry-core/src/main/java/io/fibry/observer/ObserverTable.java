package io.fibry.observer;

import java.util.List;
import java.util.Objects;

/**
 * A table on an {@link ObserverPage}. Immutable. The page shows all texts as text, and cuts them after 300 characters.
 *
 * @param title the heading
 * @param columns the headings of the columns
 * @param rows each with one cell for each column
 */
public record ObserverTable(String title, List<String> columns, List<Row> rows) {

    /**
     * A row of a table.
     *
     * @param alert whether the row is marked as a problem
     * @param cells its texts
     */
    public record Row(boolean alert, List<String> cells) {

        /** Creates a row. */
        public Row {
            cells = List.copyOf(cells);
        }

        /** Returns a row without a problem. */
        public static Row of(String... cells) {
            return new Row(false, List.of(cells));
        }
    }

    /**
     * Creates a table.
     *
     * @throws IllegalArgumentException if the table has no columns, or the number of cells of a row differs from the
     *     number of columns
     */
    public ObserverTable {
        Objects.requireNonNull(title, "title");
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
        if (columns.isEmpty()) {
            throw new IllegalArgumentException("a table must have a column");
        }
        for (int i = 0; i < rows.size(); i++) {
            int cells = rows.get(i).cells().size();
            if (cells != columns.size()) {
                throw new IllegalArgumentException("row " + i + " has " + cells + " cells, and the table has "
                        + columns.size() + " columns: give each row one cell for each column");
            }
        }
    }
}
