package io.fibry.helidon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/** A path that no request can match is refused when its route is added, with the corpus of the core server. */
@Timeout(60)
class HelidonRoutesTest {

    private static final HelidonRoutes NONE = HelidonRoutes.none();

    @ParameterizedTest
    @CsvFileSource(resources = "/route-paths.txt", encoding = "UTF-8")
    @CsvSource({
        "/a/{id,        no end",
        "/a[/b,         optional",
        "/a[/b[/c]],    nested",
        "/a/{id:[},     character class",
        "/a%20b/*,      write the character itself",
        "/a%20b/{id},   write the character itself",
        "/a+b,          write %2B",
        "/[a/]/b,       empty segment",
        "/a\\b/c?d,     the query",
    })
    void aPathThatCannotMatchIsRefused(String path, String why) {
        assertRefused(path, why, () -> NONE.webSocket(path, Servers.ECHO));
        assertRefused(path, why, () -> NONE.events(path, EventStreams.create()));
    }

    private static void assertRefused(String path, String why, Runnable adds) {
        var e = assertThrows(IllegalArgumentException.class, adds::run, path);
        assertTrue(e.getMessage().contains("\"" + path + "\""), e.getMessage());
        assertTrue(e.getMessage().contains(why), e.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "/,                /",
        "/*,               /a/b",
        "/a/,              /a/",
        "/%20,             /%20",
        "/a b,             /a%20b",
        "/ä,               /%C3%A4",
        "/ä b/*,           /%C3%A4%20b/c",
        "/a%3Bb,           /a%3Bb",
        "/a.b/..c,         /a.b/..c",
        "/~a!$&():=@,      /~a!$&():=@",
        "/a%2Bb,           /a+b",
        "/a+b/*,           /a+b/c",
        "/a+b/{id},        /a+b/c",
        "/{id},            /7",
        "/a/{id:[0-9]{2}}, /a/42",
        "/a/{+rest},       /a/b/c",
        "/a/{*}/b,         /a/x/b",
        "/a[/{id}],        /a",
        "/a/*/b,           /a/x/b",
        "/a*,              /ab",
        "/a\\*,            /a*",
    })
    void otherPathsAreFine(String path, String request) throws Exception {
        try (var system = ActorSystem.create()) {
            HelidonServer server = Servers.start(system, NONE.webSocket(path, Servers.ECHO));
            try (var client = new RawClient(server.port(), request)) {
                assertEquals("HTTP/1.1 101 Switching Protocols", client.status);
            }
        }
    }

    /** Helidon would use the first one only. */
    @Test
    void theSamePathTwiceIsRefused() {
        HelidonRoutes one = NONE.webSocket("/a", Servers.ECHO);
        var e = assertThrows(IllegalArgumentException.class, () -> one.webSocket("/a", Servers.ECHO));
        assertTrue(e.getMessage().contains("already"), e.getMessage());
        EventStreams source = EventStreams.create();
        HelidonRoutes both = one.events("/a", source);
        assertThrows(IllegalArgumentException.class, () -> both.events("/a", source));
    }
}
