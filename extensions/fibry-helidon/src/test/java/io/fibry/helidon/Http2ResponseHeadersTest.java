package io.fibry.helidon;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.HttpException;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses of HTTP/2 with headers that are larger than the table of the connection, or than a frame. */
@Timeout(60)
class Http2ResponseHeadersTest {

    private static final HeaderName NAME = HeaderNames.create("x");
    private static final int WHOLE_TABLE = 4096 - 32 - 1; // with the overhead of an entry and the name

    private final ActorSystem system = ActorSystem.create();
    private final HelidonServer server =
            Servers.start(system, HelidonRoutes.none().http(Http2ResponseHeadersTest::addRoutes));
    private final HttpClient client =
            HttpClient.newBuilder().version(Version.HTTP_2).build();

    private static void addRoutes(HttpRouting.Builder http) {
        http.get("/send/{n}", (request, response) -> {
                    response.header(NAME, value(request)).send("body");
                })
                .get("/empty/{n}", (request, response) -> {
                    response.status(Status.NO_CONTENT_204)
                            .header(NAME, value(request))
                            .send();
                })
                .get("/emptyStream/{n}", (request, response) -> {
                    response.header(NAME, value(request));
                    response.outputStream().close();
                })
                .get("/stream/{n}", (request, response) -> {
                    response.header(NAME, value(request));
                    try (var out = response.outputStream()) {
                        out.write("bo".getBytes(US_ASCII));
                        out.write("dy".getBytes(US_ASCII));
                    }
                })
                .get("/cookies/{n}", (request, response) -> {
                    response.headers()
                            .add(HeaderValues.create(HeaderNames.SET_COOKIE, value(request), value(request) + "2"));
                    response.send("body");
                })
                .get("/values/{n}", (request, response) -> {
                    response.headers().add(HeaderValues.create(NAME, value(request), value(request) + "2"));
                    response.send("body");
                })
                .get("/trailers/{n}", (request, response) -> {
                    response.header(HeaderNames.TRAILER, "x");
                    response.trailers().set(HeaderValues.create(NAME, value(request)));
                    response.send("body");
                })
                .get("/streamTrailers/{n}", (request, response) -> {
                    response.header(HeaderNames.TRAILER, "x");
                    try (var out = response.outputStream()) {
                        out.write("body".getBytes(US_ASCII));
                    }
                    response.trailers().set(HeaderValues.create(NAME, value(request)));
                })
                .get("/failure/{n}", (request, response) -> {
                    throw new HttpException("refused", Status.BAD_REQUEST_400)
                            .header(HeaderValues.create(NAME, value(request)));
                });
    }

    private static String value(ServerRequest request) {
        return "v".repeat(Integer.parseInt(request.path().pathParameters().get("n")));
    }

    @AfterEach
    void close() {
        client.shutdownNow();
        assertTrue(system.close(Servers.LONG));
    }

    private HttpResponse<String> get(String path) throws Exception {
        URI uri = URI.create("http://localhost:" + server.port() + path);
        var response =
                client.send(HttpRequest.newBuilder(uri).timeout(Servers.LONG).build(), BodyHandlers.ofString());
        assertEquals(Version.HTTP_2, response.version());
        return response;
    }

    /** A response with the header {@code x} of this many bytes, and those after it on the same connection. */
    private void isComplete(String route, int bytes, int status, String body) throws Exception {
        for (int n : new int[] {10, bytes, bytes, 10, bytes - 1, 20}) {
            HttpResponse<String> response = get("/" + route + "/" + n);
            assertEquals(status, response.statusCode());
            assertEquals("v".repeat(n), response.headers().firstValue("x").orElse(""));
            assertEquals(body, response.body());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {WHOLE_TABLE, WHOLE_TABLE + 1, 5_000, 20_000, 100_000})
    void aHeaderMayBeLargerThanTheTableAndAFrame(int bytes) throws Exception {
        isComplete("send", bytes, 200, "body");
    }

    @ParameterizedTest
    @ValueSource(ints = {5_000, 20_000})
    void aResponseWithoutABodyMayHaveALargeHeader(int bytes) throws Exception {
        isComplete("empty", bytes, 204, "");
    }

    @ParameterizedTest
    @ValueSource(ints = {5_000, 20_000})
    void aStreamMayHaveALargeHeader(int bytes) throws Exception {
        isComplete("stream", bytes, 200, "body");
    }

    @Test
    void anEmptyStreamMayHaveALargeHeader() throws Exception {
        isComplete("emptyStream", 5_000, 200, "");
    }

    @ParameterizedTest
    @ValueSource(ints = {5_000, 20_000})
    void theResponseToAFailureMayHaveALargeHeader(int bytes) throws Exception {
        isComplete("failure", bytes, 400, "refused");
    }

    @Test
    void headersOfMoreThanOneValueAreComplete() throws Exception {
        for (int n : new int[] {5_000, 10, 2_500, 2_500, 20}) {
            String large = "v".repeat(n);
            assertEquals(
                    List.of(large, large + "2"), get("/cookies/" + n).headers().allValues("set-cookie"));
            assertEquals(
                    List.of(large + ", " + large + "2"),
                    get("/values/" + n).headers().allValues("x"));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {WHOLE_TABLE, 5_000})
    void aTrailerMayBeLarge(int bytes) throws Exception {
        for (int n : new int[] {10, bytes, bytes, 10}) {
            assertEquals("body", get("/trailers/" + n).body());
            assertEquals("body", get("/streamTrailers/" + n).body());
        }
    }
}
