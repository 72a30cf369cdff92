package io.fibry.net.attack;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.http.HttpOptions;
import io.fibry.http.HttpRoutes;
import io.fibry.http.HttpServerActor;
import io.fibry.testing.NoLeftovers;
import io.fibry.testing.ThreadKinds;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two servers behind the configuration of the guide are restarted one after the other, and no request fails. */
@ExtendWith(NoLeftovers.class)
@Timeout(300)
class NginxRestartTest {

    private static final int CLIENTS = 6;
    private static final int ROUNDS = Attack.size(4, 50);
    private static final int REQUESTS_BETWEEN = 30;
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String BODY = "x".repeat(2_000);

    private final ActorSystem system = ActorSystem.create();
    private final AtomicLong posts = new AtomicLong(); // the number of handled requests
    private final AtomicLong sent = new AtomicLong();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean done;

    @AfterEach
    void close() {
        system.close();
    }

    private HttpServerActor start(ThreadStrategy strategy, int port) {
        HttpRoutes routes = HttpRoutes.none()
                .get("/", exchange -> {
                    LockSupport.parkNanos(2_000_000); // some requests are in progress when the server stops
                    return "get";
                })
                .post("/", exchange -> {
                    int length = exchange.getRequestBody().readAllBytes().length;
                    posts.incrementAndGet();
                    LockSupport.parkNanos(2_000_000);
                    return "post " + length;
                });
        return HttpServerActor.start(system.actor().strategy(strategy), port, routes, HttpOptions.defaults());
    }

    @ThreadKinds
    void noRequestFails(ThreadStrategy strategy) throws Exception {
        List<HttpServerActor> servers = new ArrayList<>(List.of(start(strategy, 0), start(strategy, 0)));
        try (var nginx = Nginx.start(NginxGuideTest.configuration(
                servers.get(0).port(), servers.get(1).port()))) {
            List<Thread> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(Thread.ofPlatform().start(() -> load(nginx.port())));
            }
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < servers.size(); i++) {
                    awaitRequests(servers);
                    servers.set(i, restart(strategy, servers.get(i)));
                }
            }
            awaitRequests(servers);
            done = true;
            for (Thread client : clients) {
                client.join();
            }
        }
        assertEquals(List.of(), List.copyOf(failures));
        assertEquals(sent.get(), posts.get(), "each POST was handled once");
    }

    /** The port may be used by a client for a moment. */
    private HttpServerActor restart(ThreadStrategy strategy, HttpServerActor server) {
        assertTrue(server.close(LONG));
        return await().ignoreExceptions().atMost(LONG).until(() -> start(strategy, server.port()), s -> true);
    }

    /**
     * Waits until each server has answered some more requests. A request that one server has refused during its restart
     * is then answered by the other one.
     */
    private void awaitRequests(List<HttpServerActor> servers) {
        for (HttpServerActor server : servers) {
            long enough = server.stats().ok() + REQUESTS_BETWEEN;
            await().atMost(LONG).until(() -> server.stats().ok() >= enough || !failures.isEmpty());
        }
    }

    private void load(int port) {
        var get = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                .timeout(LONG)
                .build();
        var post = HttpRequest.newBuilder(get.uri())
                .timeout(LONG)
                .POST(BodyPublishers.ofString(BODY))
                .build();
        try (var client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            while (!done && failures.isEmpty()) {
                expect("200 get", client.send(get, BodyHandlers.ofString()));
                sent.incrementAndGet();
                expect("200 post " + BODY.length(), client.send(post, BodyHandlers.ofString()));
            }
        } catch (IOException | InterruptedException e) {
            failures.add(e.toString());
        }
    }

    private void expect(String answer, HttpResponse<String> response) {
        String got = response.statusCode() + " " + response.body();
        if (!got.equals(answer)) {
            failures.add(response.request().method() + ": " + got);
        }
    }
}
