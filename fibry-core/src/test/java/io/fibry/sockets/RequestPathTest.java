package io.fibry.sockets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The path check, with the corpus that the tests of both servers send. */
public class RequestPathTest {

    /** The paths of the corpus with this result, "refused" or "routed". */
    public static List<String> corpus(String result) throws IOException {
        try (var in = RequestPathTest.class.getResourceAsStream("/request-paths.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .filter(line -> line.startsWith(result + " "))
                    .map(line -> line.substring(result.length() + 1))
                    .toList();
        }
    }

    static List<String> refused() throws IOException {
        return corpus("refused");
    }

    static List<String> routed() throws IOException {
        return corpus("routed");
    }

    @ParameterizedTest
    @MethodSource("refused")
    void ambiguousRequestsAreRefused(String path) {
        assertNotNull(RequestPath.fault(path));
    }

    @ParameterizedTest
    @MethodSource("routed")
    void acceptsOtherPaths(String path) {
        assertNull(RequestPath.fault(path));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/a b",
                "/a\n",
                "/a\0",
                "/\u007f",
                "/\u00e4",
                "/\u202e",
                "/\ud800",
                "/\uff0e\uff0e/a",
                "",
                "*",
                "a/b"
            })
    void refusesCharactersThatNoClientMaySend(String path) {
        assertNotNull(RequestPath.fault(path));
    }

    @ParameterizedTest
    @CsvSource({
        "/a/..,       has a dot segment",
        "/a/%2e,      has an encoded dot",
        "/a//b,       has an empty segment",
        "/a%2Fb,      has an encoded slash",
        "/a%5Cb,      has a backslash",
        "/a;b,        has a semicolon that is not encoded as %3B",
        "/%61,        'has an encoded letter, digit, hyphen or underscore'",
        "/%0a,        has an encoded control character",
        "/%c0%ae,     has encoded bytes that are not UTF-8",
        "/%2,         has a percent sign without two hexadecimal digits",
        "/a#b,        has a character that must be encoded",
        "a,           does not begin with a slash",
    })
    void namesTheFault(String path, String fault) {
        assertEquals(fault, RequestPath.fault(path));
    }
}
