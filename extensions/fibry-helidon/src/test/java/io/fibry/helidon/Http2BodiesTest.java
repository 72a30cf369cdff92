package io.fibry.helidon;

import static io.fibry.helidon.Http2Client.DATA;
import static io.fibry.helidon.Http2Client.END_HEADERS;
import static io.fibry.helidon.Http2Client.END_STREAM;
import static io.fibry.helidon.Http2Client.GET;
import static io.fibry.helidon.Http2Client.GOAWAY;
import static io.fibry.helidon.Http2Client.HEADERS;
import static io.fibry.helidon.Http2Client.OK;
import static io.fibry.helidon.Http2Client.RST_STREAM;
import static io.fibry.helidon.Http2Client.bytes;
import static io.fibry.helidon.Http2Client.join;
import static io.fibry.helidon.Http2Client.literal;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.StopMode;
import io.helidon.http.ForbiddenException;
import io.helidon.http.Status;
import io.helidon.http.media.ReadableEntity;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.http.ServerRequest;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients of HTTP/2 that leave before they have sent a whole body. No thread waits for the rest. */
@Timeout(60)
class Http2BodiesTest {

    private static final int HALF = 100;
    private static final int MAX = 1_000;
    private static final int NOT_FOUND = 0x8D; // as Http2Client.OK

    /** How a client leaves. */
    enum End {
        RESET {
            @Override
            void of(Http2Client client) throws IOException {
                client.frame(RST_STREAM, 0, 1, bytes(0, 0, 0, 8)); // CANCEL
            }
        },
        DISCONNECT {
            @Override
            void of(Http2Client client) throws IOException {
                client.close();
            }
        },
        /** Helidon ends the connection with GOAWAY. */
        INVALID_FRAME {
            @Override
            void of(Http2Client client) throws IOException {
                client.frame(DATA, 0, 2, new byte[1]);
                client.await(GOAWAY);
            }
        };

        abstract void of(Http2Client client) throws IOException;
    }

    private final ActorSystem system = ActorSystem.create();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch half = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final BlockingQueue<Object> results = new LinkedBlockingQueue<>(); // of reads
    private final BlockingQueue<Thread> threads = new LinkedBlockingQueue<>(); // of some requests

    private final HelidonServer server = HelidonServer.start(
            system.actor(),
            0,
            HelidonRoutes.none()
                    .http(http -> http.get("/", (request, response) -> response.send("ok"))
                            .post("/read", (request, response) -> {
                                read(request);
                                response.send("read");
                            })
                            .post("/skip", (request, response) -> {
                                half.countDown();
                                request.content().inputStream().skipNBytes(MAX);
                            })
                            .get("/broken", (request, response) -> {
                                var out = response.outputStream();
                                out.write(new byte[HALF]);
                                out.flush();
                                throw new IllegalStateException("on purpose");
                            })
                            .post("/late", (request, response) -> {
                                threads.add(Thread.currentThread());
                                begun.countDown();
                                goOn.await();
                                read(request);
                                response.send("late");
                            })
                            .post("/large", (request, response) -> {
                                threads.add(Thread.currentThread());
                                request.content().as(byte[].class);
                                response.send("large");
                            })
                            .post("/refuse", (request, response) -> {
                                threads.add(Thread.currentThread());
                                request.content().inputStream().readNBytes(HALF);
                                half.countDown();
                                response.status(Status.FORBIDDEN_403).send("no");
                            })
                            .post("/fail", (request, response) -> {
                                request.content().inputStream().readNBytes(HALF);
                                half.countDown();
                                throw new ForbiddenException("no");
                            })
                            .post("/ignore", (request, response) -> {
                                threads.add(Thread.currentThread());
                                response.send("ignored");
                            })),
            Servers.HTTP_2.maxRequests(1).maxBodyBytes(MAX));

    private void read(ServerRequest request) throws IOException {
        try (InputStream in = request.content().inputStream()) {
            in.readNBytes(HALF);
            half.countDown();
            results.add(in.readAllBytes().length);
        } catch (RuntimeException e) {
            results.add(e);
            throw e;
        }
    }

    @AfterEach
    void close() {
        goOn.countDown();
        assertTrue(system.close(Servers.LONG));
    }

    private static void post(Http2Client client, String path) throws IOException {
        client.frame(HEADERS, END_HEADERS, 1, head(0x83, path));
        client.frame(DATA, 0, 1, new byte[HALF]);
    }

    private static byte[] head(int method, String path) {
        byte[] text = path.getBytes(US_ASCII);
        return join(bytes(method, 0x86, 0x01, 9), "localhost".getBytes(US_ASCII), bytes(0x04, text.length), text);
    }

    /** Asks until the only slot is free. */
    private void assertServes() throws IOException {
        try (var client = new Http2Client(server.port())) {
            for (int stream = 1; ; stream += 2) {
                client.get(stream, GET);
                if (client.status() == OK) {
                    return;
                }
            }
        }
    }

    /** Waits until the thread of the request has ended, which also discards the rest of the body. */
    private void awaitEndOfThread() throws InterruptedException {
        assertTrue(threads.take().join(Servers.LONG));
    }

    @ParameterizedTest
    @EnumSource
    void aReadEndsWithAnException(End end) throws Exception {
        try (var client = new Http2Client(server.port())) {
            post(client, "/read");
            half.await();
            end.of(client);
            Object result = results.take();
            assertTrue(result instanceof CloseConnectionException, () -> "" + result);
            assertServes();
        }
        server.stop();
        assertTrue(server.waitForExit(Servers.LONG));
    }

    /** The rest of the body, which a handler has not read, is discarded after the response. */
    @ParameterizedTest
    @CsvSource({
        "/refuse, RESET", "/refuse, DISCONNECT", "/refuse, INVALID_FRAME",
        "/ignore, RESET", "/ignore, DISCONNECT", "/ignore, INVALID_FRAME",
        "/large, RESET", "/large, DISCONNECT", "/large, INVALID_FRAME"
    })
    void nobodyWaitsForTheRestAfterTheResponse(String path, End end) throws Exception {
        try (var client = new Http2Client(server.port())) {
            post(client, path);
            if (path.equals("/large")) {
                client.frame(DATA, 0, 1, new byte[MAX]);
            }
            client.status();
            end.of(client);
            awaitEndOfThread();
            assertServes();
        }
    }

    /** Helidon discards the rest before it answers such an exception. */
    @ParameterizedTest
    @ValueSource(strings = {"/fail", "/unknown"})
    void nobodyWaitsForTheRestBeforeTheResponse(String path) throws Exception {
        try (var client = new Http2Client(server.port())) {
            post(client, path);
            if (path.equals("/fail")) {
                half.await();
            }
        }
        assertServes();
        server.stop();
        assertTrue(server.waitForExit(Servers.LONG));
    }

    /** The handler reads when the connection has already ended. */
    @Test
    void aLateReadFails() throws Exception {
        try (var client = new Http2Client(server.port())) {
            post(client, "/late");
            begun.await();
            End.INVALID_FRAME.of(client);
        }
        goOn.countDown();
        Object result = results.take();
        assertTrue(result instanceof CloseConnectionException, () -> "" + result);
        awaitEndOfThread();
    }

    @Test
    void aCompleteBodyIsReadAfterTheEndOfTheConnection() throws Exception {
        try (var client = new Http2Client(server.port())) {
            post(client, "/late");
            client.frame(DATA, END_STREAM, 1, new byte[HALF]);
            begun.await();
        }
        goOn.countDown();
        assertEquals(HALF, results.take());
    }

    /** A frame is not complete with its head. */
    @ParameterizedTest
    @ValueSource(ints = {DATA, RST_STREAM})
    void aCutLastFrameIsNoEnd(int type) throws Exception {
        try (var client = new Http2Client(server.port())) {
            post(client, "/read");
            half.await();
            client.raw(bytes(0, 0, 4, type, END_STREAM, 0, 0, 0, 1, 'x'));
        }
        Object result = results.take();
        assertTrue(result instanceof CloseConnectionException, () -> "" + result);
        assertServes();
    }

    /** Helidon takes the interrupt of a stop for the end of the body. */
    @Test
    void aReadFailsWhenTheServerIsStoppedAtOnce() throws Exception {
        try (var client = new Http2Client(server.port())) {
            post(client, "/read");
            half.await();
            server.stop(StopMode.DISCARD);
            Object result = results.take();
            assertTrue(result instanceof CloseConnectionException, () -> "" + result);
            assertTrue(server.waitForExit(Servers.LONG));
        }
    }

    /** The last frame comes when the interrupt of a stop has ended the read, and before the end is checked. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aReadThatAStopHasEndedFails(boolean stopped) throws Exception {
        var bodies = new Http2Bodies();
        bodies.begun(1);
        ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
        var atEnd = new FilterInputStream(InputStream.nullInputStream()) {
            @Override
            public int read(byte[] to, int offset, int length) {
                if (stopped) {
                    executor.shutdownNow();
                }
                bodies.last(1);
                bodies.complete(1);
                return -1;
            }
        };
        var filter = new AtomicReference<UnaryOperator<InputStream>>(UnaryOperator.identity());
        bodies.guard(request(executor, filter::set));
        try (InputStream in = filter.get().apply(atEnd)) {
            if (stopped) {
                assertThrows(CloseConnectionException.class, () -> in.read(new byte[1]));
            } else {
                assertEquals(-1, in.read(new byte[1]));
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static ServerRequest request(ExecutorService executor, Consumer<UnaryOperator<InputStream>> filter) {
        var content = of(ReadableEntity.class, (method, arguments) -> true); // consumed
        var listener = of(ListenerContext.class, (method, arguments) -> executor);
        return of(ServerRequest.class, (method, arguments) -> switch (method) {
            case "id" -> 1;
            case "content" -> content;
            case "listenerContext" -> listener;
            default -> { // streamFilter
                filter.accept((UnaryOperator<InputStream>) arguments[0]);
                yield executor;
            }
        });
    }

    private static <T> T of(Class<T> type, BiFunction<String, Object[], Object> results) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> results.apply(method.getName(), arguments)));
    }

    /** The limit for a body does not end the connection, of which other requests use the rest. */
    @Test
    void anyRestIsDiscarded() throws Exception {
        try (var client = new Http2Client(server.port())) {
            post(client, "/ignore");
            client.status();
            for (int i = 0; i < 100; i++) {
                client.frame(DATA, 0, 1, new byte[MAX]);
            }
            client.frame(DATA, END_STREAM, 1);
            client.get(3, GET);
            assertEquals(OK, client.status());
        }
    }

    @Test
    void aSkipEndsToo() throws Exception {
        try (var client = new Http2Client(server.port())) {
            post(client, "/skip");
            half.await();
        }
        assertServes();
    }

    /** The client must not take a part for the whole. */
    @Test
    void aResponseWhoseHandlerFailsIsReset() throws Exception {
        try (var client = new Http2Client(server.port())) {
            client.get(1, head(0x82, "/broken"));
            Http2Client.Frame frame = client.await(DATA, RST_STREAM);
            while (frame.type() == DATA) {
                assertEquals(0, frame.flags() & END_STREAM);
                frame = client.await(DATA, RST_STREAM);
            }
        }
    }

    /** Such a client sends the body only if the server asks for it. */
    @Test
    void aBodyIsNotRequestedForAnUnknownPath() throws Exception {
        try (var client = new Http2Client(server.port())) {
            client.frame(HEADERS, END_HEADERS, 1, join(head(0x83, "/unknown"), literal(0, "expect", "100-continue")));
            assertEquals(NOT_FOUND, client.status());
        }
    }
}
