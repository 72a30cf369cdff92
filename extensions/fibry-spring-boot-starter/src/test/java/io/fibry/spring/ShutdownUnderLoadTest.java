package io.fibry.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ReplyActor;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A server that is stopped under load answers all accepted requests, and its actors handle all accepted messages. */
@Timeout(120)
class ShutdownUnderLoadTest {

    private static final int WAITING_CLIENTS = 20;
    private static final int BUSY_CLIENTS = 8;

    /** A resource that handlers use until the end. */
    static final class Database implements AutoCloseable {
        private final AtomicInteger written = new AtomicInteger();
        private volatile boolean closed;

        int write() {
            if (closed) {
                throw new IllegalStateException("the database is closed");
            }
            return written.incrementAndGet();
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @EnableAutoConfiguration
    static class Shop {
        final AtomicInteger entered = new AtomicInteger();
        final AtomicInteger told = new AtomicInteger();
        final CountDownLatch waiting = new CountDownLatch(WAITING_CLIENTS);
        final CountDownLatch closing = new CountDownLatch(1);

        @Bean
        Database database() {
            return new Database();
        }

        @Bean
        @FibryActor
        Function<Integer, Integer> orders() {
            return n -> n + 1;
        }

        /** Handles no message before the shutdown begins: all earlier messages wait. */
        @Bean
        @FibryActor
        Consumer<Integer> ledger(Database database) {
            return n -> {
                await(closing);
                database.write();
            };
        }

        @EventListener
        void on(ContextClosedEvent event) {
            closing.countDown();
        }
    }

    @RestController
    record Desk(ReplyActor<Integer, Integer> orders, Actor<Integer> ledgerActor, Shop shop) {

        @PostMapping("/busy")
        int busy() throws Exception {
            int n = shop.entered.incrementAndGet();
            ledgerActor.tell(n);
            shop.told.incrementAndGet();
            return orders.call(n);
        }

        @PostMapping("/open")
        int open() throws Exception {
            int n = shop.entered.incrementAndGet();
            shop.waiting.countDown();
            await(shop.closing);
            ledgerActor.tell(n);
            shop.told.incrementAndGet();
            return orders.call(n);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingThatWasAcceptedIsLost(boolean virtualThreads) throws Exception {
        var context = (ServletWebServerApplicationContext) new SpringApplication(Shop.class, Desk.class)
                .run("--server.port=0", "--spring.threads.virtual.enabled=" + virtualThreads);
        var shop = context.getBean(Shop.class);
        var database = context.getBean(Database.class);
        String server = "http://localhost:" + context.getWebServer().getPort();
        try (var client = HttpClient.newHttpClient();
                var threads = Executors.newCachedThreadPool()) {
            var answers = new ArrayList<Future<Integer>>();
            for (int i = 0; i < WAITING_CLIENTS; i++) {
                answers.add(threads.submit(() -> answered(client, server + "/open") ? 1 : 0));
            }
            var warm = new CountDownLatch(BUSY_CLIENTS * 10);
            for (int i = 0; i < BUSY_CLIENTS; i++) {
                answers.add(threads.submit(() -> {
                    int sum = 0;
                    while (answered(client, server + "/busy")) {
                        sum++;
                        warm.countDown();
                    }
                    return sum;
                }));
            }
            shop.waiting.await();
            warm.await();
            context.close();
            int answered = 0;
            for (Future<Integer> answer : answers) {
                answered += answer.get();
            }
            assertEquals(shop.entered.get(), answered, "requests that were accepted, and answered");
        }
        assertTrue(shop.told.get() >= WAITING_CLIENTS + BUSY_CLIENTS * 10);
        assertEquals(shop.told.get(), database.written.get(), "messages that were accepted, and handled");
    }

    private static boolean answered(HttpClient client, String uri) throws InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(uri))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode() == 200;
        } catch (IOException refused) {
            return false;
        }
    }
}
