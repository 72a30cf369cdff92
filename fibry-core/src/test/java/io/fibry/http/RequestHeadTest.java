package io.fibry.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.Headers;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Header lines that a provider other than the JDK stores in another form are still checked. */
class RequestHeadTest {

    /** The head of a request whose provider stores its header lines in this form. */
    private static RequestHead head(Map<String, List<String>> lines) {
        var headers = new Headers() {
            @Override
            public Set<Map.Entry<String, List<String>>> entrySet() {
                return lines.entrySet();
            }
        };
        return new RequestHead(new FakeExchange("") {
            @Override
            public Headers getRequestHeaders() {
                return headers;
            }
        });
    }

    @Test
    void twoSpellingsOfANameAreTwoLines() {
        var head = head(new TreeMap<>(Map.of("Content-Length", List.of("1"), "content-length", List.of("2"))));
        assertEquals(List.of("1", "2"), head.lengths());
        assertEquals(2, head.lines());
        assertTrue(head.hasBody());
    }

    @Test
    void aNameIsFoundInAnySpelling() {
        assertEquals(List.of("a"), head(Map.of("hOST", List.of("a"))).hosts());
        assertTrue(head(Map.of("TRANSFER-ENCODING", List.of("chunked"))).isChunked());
        assertFalse(head(Map.of("Transfer", List.of("chunked"))).hasBody());
    }
}
