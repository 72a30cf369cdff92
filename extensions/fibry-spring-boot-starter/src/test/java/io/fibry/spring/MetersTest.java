package io.fibry.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.fibry.ActorSystem;
import io.fibry.ReplyActor;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;

/** The meters of the system are in the registry of the application. */
@Timeout(60)
class MetersTest {

    static class Shop {
        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }

        @Bean
        @FibryActor
        Function<Integer, Integer> doubling() {
            return n -> 2 * n;
        }
    }

    record Client(ReplyActor<Integer, Integer> doubling) {}

    private static ApplicationContextRunner shop() {
        return Contexts.with(Shop.class, Client.class)
                .withPropertyValues("spring.application.name=shop")
                .withConfiguration(AutoConfigurations.of(
                        MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class));
    }

    @Test
    void countsTheMessagesOfTheSystemAndOfItsNamedActors() {
        shop().run(context -> {
            var registry = context.getBean(MeterRegistry.class);
            context.getBean(Client.class).doubling.call(1);
            Contexts.awaitHandled(context.getBean(ActorSystem.class), 1);
            var handled = registry.get("fibry.actor.handled")
                    .tag("system", "shop")
                    .tag("actor", "doubling")
                    .functionCounter();
            assertEquals(1, handled.count());
        });
    }

    @Test
    void thePropertyLimitsTheActorsWithMeters() {
        shop().withPropertyValues("fibry.metrics.actors=0").run(context -> {
            var registry = context.getBean(MeterRegistry.class);
            assertNull(registry.find("fibry.actor.handled").meter());
            for (Meter meter : registry.get("fibry.messages").meters()) {
                assertEquals("shop", meter.getId().getTag("system"));
            }
        });
    }
}
