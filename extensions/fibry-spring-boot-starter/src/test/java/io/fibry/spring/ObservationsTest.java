package io.fibry.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ContextCarrier;
import io.fibry.ReplyActor;
import io.fibry.context.MessageObservationContext;
import io.fibry.context.MessageObservationConvention;
import io.fibry.context.MicrometerContext;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;

/** A property turns handled messages into observations. Spring Boot makes timers of them. */
@Timeout(60)
class ObservationsTest {

    static class Shop {
        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }

        @Bean
        @FibryActor
        Function<Integer, String> orders() {
            return n -> n + " " + MDC.get("request");
        }
    }

    static class Convention {
        @Bean
        MessageObservationConvention convention() {
            return new MessageObservationConvention() {
                @Override
                public String getName() {
                    return "shop.message";
                }

                @Override
                public String getContextualName(MessageObservationContext context) {
                    return "message";
                }
            };
        }
    }

    record Client(ReplyActor<Integer, String> orders) {}

    private static ApplicationContextRunner shop() {
        return Contexts.with(Shop.class, Client.class)
                .withConfiguration(AutoConfigurations.of(
                        MetricsAutoConfiguration.class,
                        CompositeMeterRegistryAutoConfiguration.class,
                        ObservationAutoConfiguration.class));
    }

    /** The number of observed messages, after three calls and the close of the system. */
    private static void assertObserved(long expected, String name, ApplicationContextRunner contexts) {
        contexts.run(context -> {
            MDC.put("request", "r1");
            try {
                for (int i = 0; i < 3; i++) {
                    context.getBean(Client.class).orders.call(i);
                }
            } finally {
                MDC.clear();
            }
            context.getBean(ActorSystem.class).close();
            Timer timer = context.getBean(MeterRegistry.class)
                    .find(name)
                    .tags("actor", "orders", "message", "Integer")
                    .timer();
            assertEquals(expected, timer == null ? 0 : timer.count());
        });
    }

    @Test
    void messagesAreNotObservedByDefault() {
        assertObserved(0, "fibry.message", shop());
    }

    @Test
    void aPropertyObservesThem() {
        assertObserved(3, "fibry.message", shop().withPropertyValues("fibry.observations.enabled=true"));
    }

    @Test
    void theyAreSampled() {
        assertObserved(
                0,
                "fibry.message",
                shop().withPropertyValues("fibry.observations.enabled=true", "fibry.observations.sampled=0"));
    }

    @Test
    void aBeanIsTheirConvention() {
        assertObserved(
                3,
                "shop.message",
                shop().withUserConfiguration(Convention.class).withPropertyValues("fibry.observations.enabled=true"));
    }

    @Test
    void otherContextsAreStillPropagated() {
        shop().withPropertyValues("fibry.observations.enabled=true", "fibry.context=mdc,micrometer")
                .run(context -> {
                    MDC.put("request", "r1");
                    try {
                        assertEquals(
                                "7 r1", context.getBean(Client.class).orders.call(7));
                    } finally {
                        MDC.clear();
                    }
                    assertEquals(1, context.getBeansOfType(ContextCarrier.class).size());
                });
    }

    @Test
    void aMissingModuleFailsTheStart() {
        assertFails(
                "Add the dependency io.fibry:fibry-context",
                shop().withPropertyValues("fibry.observations.enabled=true")
                        .withClassLoader(new FilteredClassLoader(MicrometerContext.class.getPackageName())));
    }

    @Test
    void aMissingRegistryFailsTheStart() {
        assertFails(
                "Add the dependency org.springframework.boot:spring-boot-starter-actuator",
                Contexts.with().withPropertyValues("fibry.observations.enabled=true"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-0.1", "1.5", "NaN"})
    void anInvalidProbabilityFailsTheStart(String sampled) {
        assertFails("Set it to a probability", shop().withPropertyValues("fibry.observations.sampled=" + sampled));
    }

    private static void assertFails(String message, ApplicationContextRunner contexts) {
        contexts.run(context -> {
            Throwable failure = context.getStartupFailure();
            while (failure != null && failure.getCause() != null) {
                failure = failure.getCause();
            }
            assertTrue(failure instanceof InvalidActorException, String.valueOf(failure));
            assertTrue(failure.getMessage().contains(message), failure::getMessage);
        });
    }
}
