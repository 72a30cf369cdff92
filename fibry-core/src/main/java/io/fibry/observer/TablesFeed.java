package io.fibry.observer;

import io.fibry.dispatch.Durations;
import io.fibry.dispatch.JsonObject;
import io.fibry.http.EventStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The tables of an {@link ObserverPage} as JSON, for all its viewers. As with {@link SnapshotFeed}, the first viewer
 * after the time of the next tables reads them, and the others get the same ones. Without a viewer, they are not read.
 */
final class TablesFeed {

    static final int MOST_TABLES = 20;
    static final int MOST_ROWS = 500;
    private static final int PAUSE_FACTOR = 10;

    private final ObserverPage page;
    private final long intervalNanos;
    private final LongSupplier clock;
    private final ReentrantLock lock = new ReentrantLock();
    private String json = ""; // this and the rest: guarded by the lock
    private long number;
    private long nextNanos;

    TablesFeed(ObserverPage page, Duration interval, LongSupplier clock) {
        this.page = page;
        intervalNanos = Durations.limitedNanos(interval);
        this.clock = clock;
    }

    /** The tables, and the number of times that they have been read. */
    record Shown(long number, String json) {}

    Shown shown() {
        lock.lock();
        try {
            long start = clock.getAsLong();
            if (number == 0 || start - nextNanos >= 0) {
                json = read();
                number++;
                nextNanos = start + Math.max(intervalNanos, PAUSE_FACTOR * (clock.getAsLong() - start));
            }
            return new Shown(number, json);
        } finally {
            lock.unlock();
        }
    }

    private String read() {
        var read = new Json().text("name", page.name());
        try {
            List<ObserverTable> tables = page.tables().get();
            return read.text("problem", null)
                    .array("tables", tables.stream().limit(MOST_TABLES).toList(), TablesFeed::table)
                    .plain("moreTables", Math.max(0, tables.size() - MOST_TABLES))
                    .toString();
        } catch (RuntimeException e) { // of an extension, whose next call may succeed
            return read.text("problem", e.toString())
                    .plain("tables", "[]")
                    .plain("moreTables", 0)
                    .toString();
        }
    }

    private static JsonObject table(ObserverTable table) {
        return new Json()
                .text("title", table.title())
                .array("columns", table.columns(), Json::quotedText)
                .array(
                        "rows",
                        table.rows().stream().limit(MOST_ROWS).toList(),
                        row -> new Json().plain("alert", row.alert()).array("cells", row.cells(), Json::quotedText))
                .plain("moreRows", Math.max(0, table.rows().size() - MOST_ROWS));
    }

    void stream(EventStream events) throws IOException, InterruptedException {
        long sent = 0;
        do {
            Shown shown = shown();
            if (shown.number() != sent) {
                events.send("tables", null, shown.json());
            }
            sent = shown.number();
        } while (events.pause(Duration.ofNanos(intervalNanos)));
    }
}
