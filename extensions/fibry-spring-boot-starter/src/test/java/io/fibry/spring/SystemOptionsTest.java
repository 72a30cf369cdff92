package io.fibry.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ReplyActor;
import io.fibry.SystemOptions;
import io.fibry.ThreadStrategy;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;

/** The options of the system come from the properties, and then from the customizers. */
@Timeout(60)
class SystemOptionsTest {

    static class Actors {
        @Bean
        @FibryActor
        Function<String, Thread> thread() {
            return text -> Thread.currentThread();
        }

        @Bean
        @FibryActor(strategy = FibryActor.Strategy.VIRTUAL)
        Function<Integer, Thread> virtual() {
            return n -> Thread.currentThread();
        }
    }

    record Client(ReplyActor<String, Thread> thread, ReplyActor<Integer, Thread> virtual) {}

    @Test
    void thePropertySetsTheStrategyOfActorsWithoutTheirOwn() {
        var actors = Contexts.with(Actors.class, Client.class);
        actors.run(context ->
                assertTrue(context.getBean(Client.class).thread.call("").isVirtual(), "the default"));
        actors.withPropertyValues("fibry.strategy=platform").run(context -> {
            Client client = context.getBean(Client.class);
            assertFalse(client.thread.call("").isVirtual());
            assertTrue(client.virtual.call(1).isVirtual());
        });
    }

    @Test
    void thePropertyEnablesTheMeasurementOfLatencies() {
        var actors = Contexts.with(Actors.class, Client.class);
        actors.run(context -> {
            context.getBean(Client.class).virtual.call(1);
            assertEquals(List.of(), context.getBean(ActorSystem.class).latencies());
        });
        actors.withPropertyValues("fibry.metrics.latency-sampling=1").run(context -> {
            context.getBean(Client.class).virtual.call(1);
            var system = context.getBean(ActorSystem.class);
            Contexts.awaitHandled(system, 1);
            context.getBean(Client.class).virtual.call(2); // the first message has been measured before
            assertFalse(system.latencies().isEmpty());
        });
    }

    static class Customizers {
        @Bean
        ExecutorService threads() {
            return Executors.newSingleThreadExecutor(
                    task -> Thread.ofPlatform().name("of the application").unstarted(task));
        }

        @Bean
        @Order(2)
        ActorSystemCustomizer second() {
            return options -> options.name(options.name() + " second");
        }

        @Bean
        @Order(1)
        ActorSystemCustomizer first(ExecutorService threads) {
            return options -> options.name(options.name() + " first").strategy(ThreadStrategy.pool(threads));
        }
    }

    @Test
    void customizersChangeTheOptionsInTheirOrder() {
        Contexts.with(Actors.class, Client.class, Customizers.class)
                .withPropertyValues("fibry.name=shop", "fibry.strategy=platform")
                .run(context -> {
                    assertEquals(
                            "shop first second",
                            context.getBean(ActorSystem.class).name());
                    assertEquals(
                            "of the application",
                            context.getBean(Client.class).thread.call("").getName());
                });
    }

    static class OwnSystem {
        @Bean(destroyMethod = "")
        ActorSystem own() {
            return ActorSystem.create(SystemOptions.defaults().name("own"));
        }
    }

    @Test
    void theSystemOfTheApplicationIsNotCustomized() {
        Contexts.with(OwnSystem.class, Customizers.class)
                .run(context ->
                        assertEquals("own", context.getBean(ActorSystem.class).name()));
    }

    static class Forgetful {
        @Bean
        ActorSystemCustomizer forgetful() {
            return options -> null;
        }
    }

    @Test
    void aCustomizerThatReturnsNothingFailsTheStart() {
        Contexts.with(Forgetful.class).run(context -> {
            FailureAnalysis analysis = new InvalidActorAnalyzer().analyze(context.getStartupFailure());
            assertTrue(analysis.getDescription().contains("has returned null"), analysis.getDescription());
            assertTrue(analysis.getAction().contains("Return the options"), analysis.getAction());
        });
    }
}
