package io.fibry.net.attack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Malformed requests, and requests that two parsers could understand differently. Where a request can be smuggled, it
 * is a request for {@code /smuggled}, which no handler may ever see.
 */
final class Corpus {

    /** The permitted results: one of these statuses, or a closed connection without a status. */
    record Malformed(String name, String request, Set<Integer> statuses) {
        byte[] bytes() {
            return request.getBytes(ISO_8859_1);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static final String SMUGGLED = "GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private static final String HOST = "Host: localhost\r\n";
    private static final String LAST = "Connection: close\r\n";

    private static final List<Malformed> ALL = new ArrayList<>();

    static {
        refused("Content-Length twice, the same", post("Content-Length: 5\r\nContent-Length: 5\r\n", "12345"));
        refused("Content-Length twice, another", post("Content-Length: 0\r\nContent-Length: 44\r\n", SMUGGLED));
        refused("Content-Length as a list", post("Content-Length: 0, 44\r\n", SMUGGLED));
        refused(
                "Content-Length and chunks",
                post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n" + SMUGGLED));
        refused(
                "chunks and Content-Length",
                post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n" + SMUGGLED));
        refused(
                "Transfer-Encoding twice",
                post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", "0\r\n\r\n" + SMUGGLED));
        refused("Transfer-Encoding unknown", post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n" + SMUGGLED));
        refused("Transfer-Encoding as a list", post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n" + SMUGGLED));
        handled(
                "Transfer-Encoding with a vertical tab",
                post("Transfer-Encoding: \u000bchunked\r\n", "0\r\n\r\n" + SMUGGLED));
        refused(
                "Transfer-Encoding in HTTP/1.0",
                "POST / HTTP/1.0\r\n" + HOST + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + SMUGGLED);
        refused("a positive Content-Length", post("Content-Length: +5\r\n", "12345"));
        refused("a negative Content-Length", post("Content-Length: -5\r\n", SMUGGLED));
        refused("a negative nothing", post("Content-Length: -0\r\n", SMUGGLED));
        refused("a hexadecimal Content-Length", post("Content-Length: 0x5\r\n", "12345"));
        refused("no number", post("Content-Length: \r\n", SMUGGLED));
        refused("a length beyond 64 bits", post("Content-Length: 18446744073709551616\r\n", SMUGGLED));
        refused("a space before the colon", post("Content-Length : 5\r\n", "12345"));
        refused("a header without colon", get("Nothing\r\n"));
        refused("a header without name", get(": value\r\n"));
        refused("a name with a space", get("A B: c\r\n"));
        refused("a name with a NUL", get("A\0B: c\r\n"));
        refused("a value with a NUL", get("A: b\0c\r\n"));
        refused("a value with an escape", get("A: b\u001bc\r\n"));
        refused("a value with a delete", get("A: b\u007fc\r\n"));
        refused("no Host", "GET / HTTP/1.1\r\n\r\n");
        refused("Host twice", get("Host: localhost\r\n"));
        refused("Host twice, another", get("Host: elsewhere\r\n"));
        refused("Host with a path", "GET / HTTP/1.1\r\nHost: localhost/x\r\n\r\n");
        refused("Host with a space", "GET / HTTP/1.1\r\nHost: localhost x\r\n\r\n");
        refused("Host as a list", "GET / HTTP/1.1\r\nHost: localhost, elsewhere\r\n\r\n");
        refused("Host with a user", "GET / HTTP/1.1\r\nHost: user@localhost\r\n\r\n");
        refused("the first header folded", "GET / HTTP/1.1\r\n Host: localhost\r\n\r\n");
        refused("a request line ended by a line feed", "GET / HTTP/1.1\nHost: localhost\r\n\r\n");
        refused("a request line without version", "GET /\r\n" + HOST + "\r\n");
        refused("a future version", "GET / HTTP/9.1\r\n" + HOST + "\r\n");
        refused("a target that begins with two slashes", "GET //localhost/ HTTP/1.1\r\n" + HOST + "\r\n");
        refused("a target on another host", "GET http://elsewhere/ HTTP/1.1\r\n" + HOST + "\r\n");
        refused("a target without host", "GET http:/a HTTP/1.1\r\n" + HOST + "\r\n");
        handled("a target on the same host", "GET http://localhost/ HTTP/1.1\r\n" + HOST + LAST + "\r\n");
        refused("a target of another scheme", "GET ftp://localhost/ HTTP/1.1\r\n" + HOST + "\r\n");
        refused("a dot segment", "GET /admin/../public/x HTTP/1.1\r\n" + HOST + "\r\n");
        refused("an encoded dot segment", "GET /admin/%2e%2E/public/x HTTP/1.1\r\n" + HOST + "\r\n");
        refused("half of a dot segment encoded", "GET /admin/.%2e/public/x HTTP/1.1\r\n" + HOST + "\r\n");
        refused("a dot segment between encoded slashes", "GET /a%2f..%2fb HTTP/1.1\r\n" + HOST + "\r\n");
        refused("another protocol", "GET / ICAP/1.1\r\n" + HOST + "\r\n");
        refused("a method that is none", "G(T / HTTP/1.1\r\n" + HOST + "\r\n");
        refused("a path with a NUL", "GET /\0 HTTP/1.1\r\n" + HOST + "\r\n");
        refused("100,000 tiny headers", get("A: b\r\n".repeat(100_000)));
        refused("1,000 tiny headers with names of their own", get(named(1000)));
        refused("a long header", get("A: " + "b".repeat(1_000_000) + "\r\n"));
        refused("a long path", "GET /" + "a".repeat(1_000_000) + " HTTP/1.1\r\n" + HOST + "\r\n");
        refused("a TLS handshake", "\u0016\u0003\u0001\u0000\u0005hello\r\n\r\n");
        refused("a body too long", post("Content-Length: 99999999\r\n", ""));
        handled("a chunk beyond 32 bits", chunked("100000000\r\n" + "\r\n" + SMUGGLED));
        handled("a chunk beyond 31 bits", chunked("ffffffff\r\n" + SMUGGLED));
        handled("a chunk beyond 64 bits", chunked("10000000000000000\r\n" + "\r\n" + SMUGGLED));
        handled("a chunk with a sign", chunked("-1\r\n" + SMUGGLED));
        handled("a chunk with a prefix", chunked("0x0\r\n\r\n" + SMUGGLED));
        handled("a chunk without size", chunked("\r\n\r\n" + SMUGGLED));
        handled("a chunk with a line feed alone", chunked("0\n\n" + SMUGGLED));
        handled("a chunk with an extension that has a line feed", chunked("2;\nxx\r\n4c\r\n0\r\n\r\n" + SMUGGLED));
        handled("what follows the last chunk", chunked("0\r\n\r\n" + SMUGGLED));
        handled("a trailer", chunked("0\r\nContent-Length: 44\r\n\r\n" + SMUGGLED));
        handled("headers ended by line feeds", "GET / HTTP/1.1\r\nHost: localhost\nConnection: close\n\n");
        handled("a header folded", get(LAST + "A: b\r\n c\r\n"));
        handled("a header ended by a carriage return", get("A: b\rConnection: close\r\n"));
        handled("a request line with more words", "GET / a HTTP/1.1\r\n" + HOST + LAST + "\r\n");
        handled("empty lines first", "\r\n\r\nGET / HTTP/1.1\r\n" + HOST + LAST + "\r\n");
        handled("only empty lines", "\r\n".repeat(1000));
    }

    private Corpus() {}

    static List<Malformed> all() {
        return ALL;
    }

    private static String get(String headers) {
        return "GET / HTTP/1.1\r\n" + HOST + headers + "\r\n";
    }

    private static String post(String headers, String body) {
        return "POST / HTTP/1.1\r\n" + HOST + headers + "\r\n" + body;
    }

    private static String chunked(String body) {
        return post("Transfer-Encoding: chunked\r\n", body);
    }

    private static String named(int n) {
        var headers = new StringBuilder();
        for (int i = 0; i < n; i++) {
            headers.append("A").append(i).append(": b\r\n");
        }
        return headers.toString();
    }

    /** Never reaches a handler. */
    private static void refused(String name, String request) {
        ALL.add(new Malformed(name, request, Set.of(400, 413, 414, 431, 501, 505)));
    }

    /** May reach a handler, which sees one request and not the one behind it; or is refused. */
    private static void handled(String name, String request) {
        ALL.add(new Malformed(name, request, Set.of(200, 400, 413, 501)));
    }
}
