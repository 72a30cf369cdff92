package io.fibry.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ReplyActor;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** Whole applications, with all auto-configurations of Spring Boot. */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class ApplicationTest {

    @EnableAutoConfiguration
    static class Shop {
        @Bean
        @FibryActor
        Function<Integer, Integer> doubling() {
            return n -> 2 * n;
        }
    }

    record Client(ReplyActor<Integer, Integer> doubling) {}

    private static ConfigurableApplicationContext run(Class<?> shop, WebApplicationType type, String... arguments) {
        var application = new SpringApplication(shop, Client.class);
        application.setWebApplicationType(type);
        return application.run(arguments);
    }

    @Test
    void theSpringBootIsTheOneOfTheBuild() {
        assertEquals(System.getProperty("spring-boot.version"), SpringBootVersion.getVersion());
    }

    @Test
    void startsStopsAndStartsAgain() throws Exception {
        for (int i = 0; i < 2; i++) {
            ActorSystem system;
            try (var context = run(Shop.class, WebApplicationType.NONE, "--spring.application.name=shop")) {
                system = context.getBean(ActorSystem.class);
                assertEquals("shop", system.name());
                assertEquals(8, context.getBean(Client.class).doubling.call(4));
            }
            assertTrue(system.isClosing());
        }
    }

    @Test
    void worksWithLazyBeans() throws Exception {
        ActorSystem system;
        try (var context = run(Shop.class, WebApplicationType.NONE, "--spring.main.lazy-initialization=true")) {
            assertFalse(context.getBeanFactory().containsSingleton("doublingActor"));
            system = context.getBean(ActorSystem.class);
            assertEquals(8, context.getBean(Client.class).doubling.call(4));
        }
        assertTrue(system.isClosing());
    }

    @Test
    void endpointsShowTheHealthAndTheMeters() throws Exception {
        try (var context = (ServletWebServerApplicationContext) run(
                        Shop.class,
                        WebApplicationType.SERVLET,
                        "--server.port=0",
                        "--management.endpoint.health.show-details=always",
                        "--management.endpoints.web.exposure.include=*");
                var client = HttpClient.newHttpClient()) {
            context.getBean(Client.class).doubling.call(4);
            Contexts.awaitHandled(context.getBean(ActorSystem.class), 1);
            var server = URI.create("http://localhost:" + context.getWebServer().getPort());
            String health = get(client, server.resolve("/actuator/health"));
            assertTrue(health.contains("\"fibry\":{\"details\":{") && health.contains("\"handled\":1"), health);
            String handled = get(client, server.resolve("/actuator/metrics/fibry.actor.handled?tag=actor:doubling"));
            assertTrue(handled.contains("\"value\":1.0"), handled);
        }
    }

    private static String get(HttpClient client, URI uri) throws Exception {
        return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @EnableAutoConfiguration
    static class Wrong {
        @Bean
        @FibryActor
        String text() {
            return "";
        }
    }

    @Test
    void aWrongUseIsShownAsSpringBootShowsOthers(CapturedOutput output) {
        try (var context = run(Wrong.class, WebApplicationType.NONE)) {
            throw new AssertionError("it has started: " + context);
        } catch (InvalidActorException e) {
            assertTrue(output.getAll().contains("APPLICATION FAILED TO START"), output::getAll);
            assertTrue(output.getAll().contains("Let it implement java.util.function.Function<M, R>"), output::getAll);
        }
    }
}
