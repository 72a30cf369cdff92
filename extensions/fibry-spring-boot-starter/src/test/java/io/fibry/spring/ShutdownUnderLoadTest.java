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
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
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
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * A server that is stopped under load answers all requests that its controller has accepted before the stop, and its
 * actors handle all accepted messages.
 *
 * <p>Tomcat waits until no servlet handles a request. A request whose servlet has not begun at that moment may be
 * handled although its connection is already closed. Requests that a controller accepts after the stop has begun are
 * therefore not expected to be answered.
 */
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
        final Set<Integer> accepted = ConcurrentHashMap.newKeySet();
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

        /** Records a request unless the stop has begun. */
        void accept(int request) {
            if (closing.getCount() > 0) {
                accepted.add(request);
            }
        }

        @EventListener
        void on(ContextClosedEvent event) {
            closing.countDown();
        }
    }

    @RestController
    record Desk(ReplyActor<Integer, Integer> orders, Actor<Integer> ledgerActor, Shop shop) {

        @PostMapping("/busy")
        String busy(@RequestBody String number) throws Exception {
            int n = Integer.parseInt(number);
            shop.accept(n);
            return order(n);
        }

        @PostMapping("/open")
        String open(@RequestBody String number) throws Exception {
            int n = Integer.parseInt(number);
            shop.accept(n);
            shop.waiting.countDown();
            await(shop.closing);
            return order(n);
        }

        private String order(int n) throws Exception {
            ledgerActor.tell(n);
            shop.told.incrementAndGet();
            return orders.call(n).toString();
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
        Set<Integer> answered = ConcurrentHashMap.newKeySet();
        try (var client = HttpClient.newHttpClient();
                var threads = Executors.newCachedThreadPool()) {
            var requests = new AtomicInteger();
            var ends = new ArrayList<Future<?>>();
            for (int i = 0; i < WAITING_CLIENTS; i++) {
                ends.add(threads.submit(() -> {
                    int n = requests.incrementAndGet();
                    if (isAnswered(client, server + "/open", n)) {
                        answered.add(n);
                    }
                    return null;
                }));
            }
            var warm = new CountDownLatch(BUSY_CLIENTS * 10);
            for (int i = 0; i < BUSY_CLIENTS; i++) {
                ends.add(threads.submit(() -> {
                    for (int n = requests.incrementAndGet();
                            isAnswered(client, server + "/busy", n);
                            n = requests.incrementAndGet()) {
                        answered.add(n);
                        warm.countDown();
                    }
                    return null;
                }));
            }
            shop.waiting.await();
            warm.await();
            context.close();
            for (Future<?> end : ends) {
                end.get();
            }
        }
        var lost = new TreeSet<>(shop.accepted);
        lost.removeAll(answered);
        assertEquals(Set.of(), lost, "requests that were accepted, but not answered");
        assertTrue(shop.told.get() >= WAITING_CLIENTS + BUSY_CLIENTS * 10);
        assertEquals(shop.told.get(), database.written.get(), "messages that were accepted, and handled");
    }

    private static boolean isAnswered(HttpClient client, String uri, int number) throws InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(uri))
                .POST(HttpRequest.BodyPublishers.ofString(String.valueOf(number)))
                .build();
        try {
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() == 200 && answer.body().equals(String.valueOf(number + 1));
        } catch (IOException refused) {
            return false;
        }
    }
}
