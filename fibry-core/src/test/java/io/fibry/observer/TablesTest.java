package io.fibry.observer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.http.HttpServerActor;
import io.fibry.observer.ObserverTable.Row;
import io.fibry.stereotypes.Stereotypes;
import io.fibry.testing.Client;
import io.fibry.testing.NoLeftovers;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The pages of extensions.
 *
 * <p>Seen to fail: a pause that does not grow with the time of the tables, and tables that are cut before they are
 * counted.
 */
@ExtendWith(NoLeftovers.class)
@Timeout(120)
class TablesTest {

    private final AtomicLong clock = new AtomicLong();
    private final AtomicInteger calls = new AtomicInteger();

    private TablesFeed feed(ObserverPage page) {
        return new TablesFeed(page, Duration.ofSeconds(1), clock::get);
    }

    private static ObserverTable table(Row... rows) {
        return new ObserverTable("Nodes", List.of("Node", "State"), List.of(rows));
    }

    @Test
    void allViewersOfAnIntervalGetTheSameTables() {
        TablesFeed feed = feed(new ObserverPage("Cluster", () -> {
            calls.incrementAndGet();
            return List.of();
        }));
        assertEquals(feed.shown(), feed.shown());
        assertEquals(1, calls.get());
        clock.addAndGet(Duration.ofSeconds(1).toNanos());
        assertEquals(2, feed.shown().number());
        assertEquals(2, calls.get());
    }

    @Test
    void slowTablesAreFollowedByALongPause() {
        TablesFeed feed = feed(new ObserverPage("Cluster", () -> {
            clock.addAndGet(Duration.ofSeconds(3).toNanos());
            return List.of();
        }));
        assertEquals(1, feed.shown().number());
        clock.addAndGet(Duration.ofSeconds(26).toNanos());
        assertEquals(1, feed.shown().number());
        clock.addAndGet(Duration.ofSeconds(1).toNanos());
        assertEquals(2, feed.shown().number());
    }

    @Test
    void textsAreEscapedAndRowsAreMarked() {
        String json = feed(new ObserverPage(
                        "Cluster", () -> List.of(table(Row.of("a", "up"), new Row(true, List.of("<b>", "lost"))))))
                .shown()
                .json();
        assertEquals(
                "{\"name\":\"Cluster\",\"problem\":null,\"tables\":[{\"title\":\"Nodes\",\"columns\":[\"Node\",\"State\"],"
                    + "\"rows\":[{\"alert\":false,\"cells\":[\"a\",\"up\"]},"
                    + "{\"alert\":true,\"cells\":[\"\\u003cb\\u003e\",\"lost\"]}],\"moreRows\":0}],\"moreTables\":0}",
                json);
    }

    @Test
    void thePageIsBounded() {
        var rows = Collections.nCopies(TablesFeed.MOST_ROWS + 7, Row.of("a", "x".repeat(10_000)));
        var big = new ObserverTable("Nodes", List.of("Node", "State"), rows);
        var tables = Collections.nCopies(TablesFeed.MOST_TABLES + 3, big);
        String json = feed(new ObserverPage("Cluster", () -> tables)).shown().json();
        assertTrue(json.contains("\"moreRows\":7"), "the number of the other rows");
        assertTrue(json.endsWith("\"moreTables\":3}"), "the number of the other tables");
        assertTrue(json.length() < TablesFeed.MOST_TABLES * TablesFeed.MOST_ROWS * 400, "bounded");
    }

    @Test
    void aFailureIsShownUntilTheNextTables() {
        TablesFeed feed = feed(new ObserverPage("Cluster", () -> {
            if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("not yet");
            }
            return List.of(table());
        }));
        assertEquals(
                "{\"name\":\"Cluster\",\"problem\":\"java.lang.IllegalStateException: not yet\","
                        + "\"tables\":[],\"moreTables\":0}",
                feed.shown().json());
        clock.addAndGet(Duration.ofSeconds(1).toNanos());
        assertTrue(feed.shown().json().contains("\"problem\":null,\"tables\":[{\"title\":\"Nodes\""));
    }

    @Test
    void everyPageLinksToTheFurtherPages() throws Exception {
        try (var system = ActorSystem.create()) {
            var options = ObserverOptions.defaults()
                    .pages(List.of(new ObserverPage("My Nodes", () -> List.of(table(Row.of("a", "up"))))));
            HttpServerActor server = Stereotypes.def().in(system).observer(0, options);
            for (String path : List.of("/", "/list", "/actors/1", "/pages/my-nodes")) {
                String html = get(server, path);
                assertTrue(html.contains("<a href=\"/pages/my-nodes\">My Nodes</a>"), path + ": " + html);
            }
            assertTrue(get(server, "/pages/other").startsWith("HTTP/1.1 404"));
            try (var raw = new Client(server.port())) {
                raw.send("GET /pages/my-nodes/events HTTP/1.0\r\nHost: localhost\r\n\r\n");
                String events = "";
                while (!events.contains("\"cells\":[\"a\",\"up\"]")) {
                    events += raw.receive(1);
                }
            }
        }
    }

    private static String get(HttpServerActor server, String path) throws Exception {
        try (var raw = new Client(server.port())) {
            return raw.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    .receiveAll();
        }
    }

    @Test
    void invalidPagesAndTablesAreExplained() {
        for (String name : List.of("", "<b>", "a/b", " a", "x".repeat(41))) {
            assertThrows(IllegalArgumentException.class, () -> new ObserverPage(name, List::of), name);
        }
        var page = new ObserverPage("a b", List::of);
        assertEquals(
                "two pages have the path /pages/a-b: give each page another name",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> ObserverOptions.defaults()
                                        .pages(List.of(page, new ObserverPage("A-B", List::of))))
                        .getMessage());
        assertEquals(
                List.of(page), ObserverOptions.defaults().pages(List.of(page)).pages());
        assertEquals(
                "row 1 has 1 cells, and the table has 2 columns: give each row one cell for each column",
                assertThrows(IllegalArgumentException.class, () -> table(Row.of("a", "b"), Row.of("a")))
                        .getMessage());
        assertThrows(IllegalArgumentException.class, () -> new ObserverTable("Nothing", List.of(), List.of()));
    }
}
