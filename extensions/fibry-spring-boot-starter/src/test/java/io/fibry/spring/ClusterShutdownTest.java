package io.fibry.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.Actor;
import io.fibry.cluster.ClusterSystem;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A web application with a node: its readiness, and its end with an open request. */
@Timeout(120)
class ClusterShutdownTest {

    /** Stops before the web server. */
    static final class Begin implements SmartLifecycle {
        private final CountDownLatch begun;
        private volatile boolean running;

        Begin(CountDownLatch begun) {
            this.begun = begun;
        }

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            running = false;
            begun.countDown();
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getPhase() {
            return WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE + 1;
        }
    }

    record Resource(List<String> events) implements AutoCloseable {
        @Override
        public void close() {
            events.add("the resource is closed");
        }
    }

    @EnableAutoConfiguration
    static class Shop {
        final List<String> events = new CopyOnWriteArrayList<>();
        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch stopping = new CountDownLatch(1);

        @Bean
        Begin begin() {
            return new Begin(stopping);
        }

        @Bean
        Resource resource() {
            return new Resource(events);
        }

        @Bean
        @FibryActor
        Consumer<String> mail(ClusterSystem cluster) {
            return text -> events.add(text + " is handled, ready " + cluster.isReady());
        }
    }

    @RestController
    record Desk(Actor<String> mailActor, ClusterSystem cluster, Shop shop) {

        @GetMapping("/order")
        String order() throws Exception {
            shop.entered.countDown();
            shop.stopping.await();
            mailActor.tell("the message");
            shop.events.add("the request ends, ready " + cluster.isReady());
            return "ok";
        }
    }

    @Test
    void theNodeLeavesAfterTheRequestsAndTheActorsAndBeforeTheResources() throws Exception {
        FakeCluster.NODES.clear();
        var context = (ServletWebServerApplicationContext) new SpringApplication(Shop.class, Desk.class)
                .run(
                        "--server.port=0",
                        "--fibry.cluster.host=127.0.0.1",
                        "--fibry.cluster.seeds=127.0.0.1:7001",
                        "--spring.main.banner-mode=off");
        Shop shop = context.getBean(Shop.class);
        var node = FakeCluster.NODES.getFirst();
        node.onClose = () -> {
            node.ready = false;
            shop.events.add("the node leaves");
        };
        var request = HttpRequest.newBuilder(
                        URI.create("http://localhost:" + context.getWebServer().getPort() + "/order"))
                .build();
        try (var client = HttpClient.newHttpClient()) {
            var reply = client.sendAsync(request, HttpResponse.BodyHandlers.ofString());
            shop.entered.await();
            context.close();
            assertEquals("ok", reply.get().body());
        }
        // The actor and the request run concurrently.
        List<String> events = shop.events;
        assertEquals(
                Set.of("the message is handled, ready true", "the request ends, ready true"),
                Set.copyOf(events.subList(0, 2)));
        assertEquals(List.of("the node leaves", "the resource is closed"), events.subList(2, events.size()));
    }

    @Test
    void theReadinessGroupFollowsTheNode() throws Exception {
        FakeCluster.NODES.clear();
        try (var context = (ServletWebServerApplicationContext) new SpringApplication(Shop.class)
                        .run(
                                "--server.port=0",
                                "--fibry.cluster.host=127.0.0.1",
                                "--fibry.cluster.seeds=127.0.0.1:7001",
                                "--management.endpoint.health.probes.enabled=true",
                                "--management.endpoint.health.group.readiness.include=readinessState,fibryCluster",
                                "--spring.main.banner-mode=off");
                var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create(
                            "http://localhost:" + context.getWebServer().getPort() + "/actuator/health/readiness"))
                    .build();
            assertEquals(
                    200,
                    client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode());
            FakeCluster.NODES.getFirst().ready = false; // without a majority
            assertEquals(
                    503,
                    client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode());
        }
    }
}
