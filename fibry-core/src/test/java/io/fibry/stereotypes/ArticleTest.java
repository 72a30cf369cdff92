package io.fibry.stereotypes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.testing.Client;
import io.fibry.testing.NoLeftovers;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The article's calls, unchanged; calls that listen on its port only have to compile. */
@ExtendWith(NoLeftovers.class)
@Timeout(120)
@SuppressWarnings("DefaultCharset") // unchanged
class ArticleTest {

    static Stream<ThreadStrategy> theArticlesStrategies() {
        return Stream.of(ThreadStrategy.virtual(), ThreadStrategy.platform());
    }

    @AfterEach
    void closeTheDefaultSystem() {
        ActorSystem.setDefaultStrategy(ThreadStrategy.virtual());
        ActorSystem.defaultSystem().close();
    }

    /** Never called: the article's port may be taken. */
    static void compiles() {
        Stereotypes.def().embeddedHttpServer(12345, exchange -> "Hello World!");
        Stereotypes.def()
                .tcpAcceptorSilent(
                        12345,
                        conn -> {
                            try (var is = conn.getInputStream();
                                    var os = conn.getOutputStream()) {
                                while (is.read() != '\n' || is.read() != '\r' || is.read() != '\n') {
                                    /* skip to the end */
                                }
                                os.write(("HTTP/1.1 200 OK\r\n" + "Content-Length: 6\r\n\r\nHello!").getBytes());
                            }
                        },
                        null)
                .waitForExit();
    }

    @Test
    void threads() {
        for (int i = 0; i < 300; i++) Stereotypes.threads().sink(null);
    }

    @Test
    void fibers() {
        for (int i = 0; i < 1_000_000; i++) Stereotypes.fibers().sink(null);
    }

    @ParameterizedTest
    @MethodSource("theArticlesStrategies")
    void requestReply(ThreadStrategy strategy) {
        ActorSystem.setDefaultStrategy(strategy);
        var act = ActorSystem.anonymous().newActorWithReturn((Integer n) -> n * n);
        Stereotypes.def()
                .runOnceSilent(() -> {
                    for (int i = 0; i < 25_000; i++) act.sendMessageReturn(i).get();
                })
                .closeOnExit(act)
                .waitForExit();
        assertTrue(act.waitForExit(Duration.ofSeconds(30)), "closed with the other");
    }

    @ParameterizedTest
    @MethodSource("theArticlesStrategies")
    void http(ThreadStrategy strategy) throws Exception {
        ActorSystem.setDefaultStrategy(strategy);
        try (var server = Stereotypes.def().embeddedHttpServer(0, exchange -> "Hello World!");
                var client = HttpClient.newHttpClient()) {
            var uri = URI.create("http://localhost:" + server.port() + "/");
            var response = client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
            assertEquals("Hello World!", response.body());
        }
    }

    @ParameterizedTest
    @MethodSource("theArticlesStrategies")
    void tcp(ThreadStrategy strategy) throws Exception {
        ActorSystem.setDefaultStrategy(strategy);
        var acceptor = Stereotypes.def()
                .tcpAcceptorSilent(
                        0,
                        conn -> {
                            try (var is = conn.getInputStream();
                                    var os = conn.getOutputStream()) {
                                while (is.read() != '\n' || is.read() != '\r' || is.read() != '\n') {
                                    /* skip to the end */
                                }
                                os.write(("HTTP/1.1 200 OK\r\n" + "Content-Length: 6\r\n\r\nHello!").getBytes());
                            }
                        },
                        null);
        for (int i = 0; i < 100; i++) {
            try (var client = new Client(acceptor.port())) {
                client.send("GET / HTTP/1.0\r\nHost: localhost\r\n\r\n");
                assertEquals("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHello!", client.receiveAll());
            }
        }
        acceptor.stop();
        acceptor.waitForExit();
    }

    @ParameterizedTest
    @MethodSource("theArticlesStrategies")
    void aClientThatHangsUpDoesNotMakeTheArticlesHandlerSpin(ThreadStrategy strategy) throws Exception {
        ActorSystem.setDefaultStrategy(strategy);
        var acceptor = Stereotypes.def()
                .tcpAcceptorSilent(
                        0,
                        conn -> {
                            try (var is = conn.getInputStream();
                                    var os = conn.getOutputStream()) {
                                while (is.read() != '\n' || is.read() != '\r' || is.read() != '\n') {
                                    /* skip to the end */
                                }
                                os.write(("HTTP/1.1 200 OK\r\n" + "Content-Length: 6\r\n\r\nHello!").getBytes());
                            }
                        },
                        null);
        try (var client = new Client(acceptor.port())) {
            assertEquals("", client.send("GET / HT").end().receiveAll());
        }
        acceptor.stop();
        assertTrue(acceptor.waitForExit(Duration.ofSeconds(30)));
    }
}
