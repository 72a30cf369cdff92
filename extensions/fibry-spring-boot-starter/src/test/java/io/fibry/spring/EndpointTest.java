package io.fibry.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The endpoint shows dumps, stuck actors and actors by HTTP, if it is exposed. */
@Timeout(120)
class EndpointTest {

    record Order(String card) {}

    @EnableAutoConfiguration
    static class Shop {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch go = new CountDownLatch(1);

        @Bean
        @FibryActor("order-slow")
        Consumer<Order> slow() {
            return order -> {
                begun.countDown();
                try {
                    go.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            };
        }

        @Bean
        @FibryActor("order-idle")
        Consumer<String> idle() {
            return text -> {};
        }

        @Bean
        @FibryActor("mail")
        Consumer<String> mail() {
            return text -> {};
        }
    }

    private static ServletWebServerApplicationContext shop;
    private static HttpClient client;

    @BeforeAll
    static void aHandlerRunsWhileAMessageWaits() throws Exception {
        shop = (ServletWebServerApplicationContext) SpringApplication.run(
                Shop.class,
                "--server.port=0",
                "--spring.application.name=shop",
                "--spring.web.error.include-message=always",
                "--server.error.include-message=always",
                "--management.endpoints.web.exposure.include=fibry");
        client = HttpClient.newHttpClient();
        @SuppressWarnings("unchecked") // the type of the bean
        var slow = (Actor<Order>) shop.getBean("slowActor");
        slow.tell(new Order("4929-running"));
        slow.tell(new Order("4929-waiting"));
        shop.getBean(Shop.class).begun.await();
        while (shop.getBean(ActorSystem.class).stuck(Duration.ZERO).isEmpty()) {
            Thread.onSpinWait(); // the times of actors are in milliseconds
        }
    }

    @AfterAll
    static void close() {
        client.close();
        shop.getBean(Shop.class).go.countDown();
        shop.close();
    }

    private static HttpResponse<String> get(String path, String accept) throws Exception {
        var uri = URI.create("http://localhost:" + shop.getWebServer().getPort() + "/actuator/fibry" + path);
        var request = HttpRequest.newBuilder(uri).header("Accept", accept).build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static JsonNode json(String path) throws Exception {
        var response = get(path, "application/json");
        assertEquals(200, response.statusCode(), response::body);
        assertFalse(response.body().contains("4929"), "the contents of a message: " + response.body());
        return new JsonMapper().readTree(response.body());
    }

    private static String text(String path) throws Exception {
        var response = get(path, "text/plain");
        assertEquals(200, response.statusCode(), response::body);
        assertFalse(response.body().contains("4929"), "the contents of a message: " + response.body());
        assertEquals(
                "text/plain;charset=UTF-8",
                response.headers().firstValue("Content-Type").orElseThrow());
        return response.body();
    }

    private static String error(String path) throws Exception {
        var response = get(path, "application/json");
        assertEquals(400, response.statusCode(), response::body);
        return response.body();
    }

    @Test
    void listsTheViews() throws Exception {
        JsonNode views = json("");
        assertEquals("shop", views.get("system").asString());
        assertEquals("[\"dump\",\"stuck\",\"actors\"]", views.get("views").toString());
    }

    @Test
    void dumpsTheSystemAsJsonAndText() throws Exception {
        JsonNode dump = json("/dump");
        assertEquals("shop", dump.get("system").asString());
        assertEquals(1, dump.get("totals").get("running").asInt());
        JsonNode longest = dump.get("longestRunning").get(0);
        assertEquals("order-slow", longest.get("name").asString());
        assertEquals(Order.class.getName(), longest.get("message").asString());
        assertTrue(longest.get("stack").toString().contains("CountDownLatch.await"), longest::toString);
        assertThat(text("/dump")).startsWith("system shop at ").contains("order-slow: running");
    }

    @Test
    void showsStuckActors() throws Exception {
        JsonNode stuck = json("/stuck?after=0s");
        assertEquals(1, stuck.get("actors").size());
        assertEquals("order-slow", stuck.get("actors").get(0).get("name").asString());
        assertEquals(0, json("/stuck").get("actors").size(), "the default is fibry.health.stuck-after");
        assertEquals(0, json("/stuck?after=0s&name=mail").get("actors").size());
        assertThat(text("/stuck?after=0s")).startsWith("order-slow: running").contains("CountDownLatch.await");
    }

    @Test
    void listsActorsUpToALimit() throws Exception {
        JsonNode all = json("/actors");
        assertThat(all.get("actors").toString()).contains("order-slow", "order-idle", "\"mail\"");
        assertTrue(all.get("complete").asBoolean());
        JsonNode orders = json("/actors?name=order-");
        assertEquals(2, orders.get("actors").size());
        assertTrue(json("/actors?name=order-&limit=2").get("complete").asBoolean());
        JsonNode one = json("/actors?name=order-&limit=1");
        assertEquals(1, one.get("actors").size());
        assertFalse(one.get("complete").asBoolean());
        assertThat(text("/actors?name=order-&limit=1")).endsWith("\n.. there are more actors");
    }

    @Test
    void badRequestsContainTheRemedy() throws Exception {
        assertThat(error("/threads")).contains("There is no view threads: request one of dump, stuck, actors");
        assertThat(error("/actors?limit=0")).contains("set limit to a number from 1 to 1000");
        assertThat(error("/actors?limit=1001")).contains("set limit to a number from 1 to 1000");
        assertThat(error("/stuck?after=-1s")).contains("set after to a time such as 10s");
        error("/stuck?after=soon");
    }

    @Test
    void isDefinedOnlyIfItIsExposedAndAccessible() {
        Contexts.with().run(context -> assertThat(context).doesNotHaveBean(FibryEndpoint.class));
        var exposed = Contexts.with().withPropertyValues("management.endpoints.web.exposure.include=fibry");
        exposed.run(context -> assertThat(context).hasSingleBean(FibryEndpoint.class));
        exposed.withPropertyValues("management.endpoint.fibry.access=NONE")
                .run(context -> assertThat(context).doesNotHaveBean(FibryEndpoint.class));
    }
}
