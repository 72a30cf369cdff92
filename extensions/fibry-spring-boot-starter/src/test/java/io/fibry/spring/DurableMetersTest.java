package io.fibry.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.Metric;
import io.fibry.codec.RecordCodec;
import io.fibry.durable.Decision;
import io.fibry.durable.DurableEntities;
import io.fibry.durable.DurableOptions;
import io.fibry.durable.DurableType;
import io.fibry.durable.EventLog;
import io.fibry.durable.EventSourced;
import io.fibry.durable.JdbcStore;
import io.fibry.durable.Projection;
import io.fibry.durable.RunningProjection;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/**
 * The meters of durable entities and of projections that are beans, without further code.
 *
 * <p>Seen to fail: without the publication, if a second publication fails, with a failure of the start, and with
 * several systems.
 */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class DurableMetersTest {

    private static final DurableType<String, Long> BOX =
            DurableType.of("box", RecordCodec.of(String.class), RecordCodec.of(Long.class));

    private static final String STORED = "box, stored messages ";
    private static final String COPY = "projection-copy ";

    /** Counts its messages, except for failures. */
    private static final class Box implements EventSourced<Long, String, String, Long> {

        @Override
        public Long initial() {
            return 0L;
        }

        @Override
        public Decision<String, Long> decide(Long count, String command) {
            return switch (command) {
                case "fail" -> throw new IllegalStateException("the test wants this failure");
                case "leave" ->
                    Decision.to(
                            command,
                            count + 1,
                            BOX.send("bob", "fail"),
                            BOX.send("carol", "fail"),
                            BOX.remind("late", Duration.ZERO, "fail"));
                default -> Decision.to(command, count + 1);
            };
        }

        @Override
        public Long apply(Long count, String event) {
            return count + 1;
        }
    }

    static class Boxes {
        final CountDownLatch released = new CountDownLatch(1);

        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }

        @Bean
        DurableEntities<String, Long> boxes(ActorSystem system, JdbcStore store) {
            return DurableEntities.start(system.actor(), log(store), DurableOptions.defaults());
        }

        static EventLog<Long, String, String, Long> log(JdbcStore store) {
            return EventLog.of(store, BOX, RecordCodec.of(String.class), new Box());
        }
    }

    /** Waits in the first event. */
    static class Copy {
        @Bean
        RunningProjection copy(JdbcStore store, Boxes boxes) throws Exception {
            return Projection.toConsumer("copy", Boxes.log(store), event -> boxes.released.await())
                    .start();
        }
    }

    private static ApplicationContextRunner with(Class<?>... configurations) {
        return Contexts.with(configurations)
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        MetricsAutoConfiguration.class,
                        CompositeMeterRegistryAutoConfiguration.class))
                .withPropertyValues(
                        "fibry.durable.create-schema=true",
                        "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    }

    /** Waits for a condition. The deadline of the test interrupts the wait. */
    private static Map<String, Double> await(MeterRegistry registry, Predicate<Map<String, Double>> condition) {
        while (true) {
            Map<String, Double> values = new TreeMap<>();
            for (Meter meter : registry.getMeters()) {
                values.put(
                        meter.getId().getTag("server") + " " + meter.getId().getName(),
                        meter.measure().iterator().next().getValue());
            }
            if (condition.test(values)) {
                return values;
            }
            LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
            assertFalse(Thread.interrupted(), values.toString());
        }
    }

    @Test
    void theRegistryHasTheMetersOfEntitiesAndProjections() {
        with(Boxes.class, Copy.class).run(context -> {
            try {
                check(context);
            } finally {
                context.getBean(Boxes.class).released.countDown(); // the projection is closed with the context
            }
        });
    }

    @SuppressWarnings("unchecked")
    private static void check(ApplicationContext context) {
        DurableEntities<String, Long> boxes = context.getBean(DurableEntities.class);
        for (String command : List.of("one", "two", "leave")) {
            assertTrue(boxes.ref("alice").ask(command, Duration.ofSeconds(60)).join() > 0);
        }
        var registry = context.getBean(MeterRegistry.class);
        Map<String, Double> values = await(
                registry,
                all -> all.getOrDefault(STORED + "fibry.durable.messages", 0.0) > 0
                        && all.getOrDefault(STORED + "fibry.durable.reminders", 0.0) > 0
                        && all.getOrDefault(COPY + "fibry.projection.lag", 0.0) > 0);
        assertEquals(3, values.get(STORED + "fibry.durable.changes"), values.toString());
        assertEquals(3, values.get(STORED + "fibry.durable.transactions"), values.toString());
        assertTrue(values.get(STORED + "fibry.durable.change.time") > 0, values.toString());
        assertEquals(2, values.get(STORED + "fibry.durable.messages"), values.toString());
        assertEquals(1, values.get(STORED + "fibry.durable.reminders"), values.toString());
        context.getBean(Boxes.class).released.countDown();
        var unused = await(
                registry,
                all -> all.get(COPY + "fibry.projection.events") == 3 && all.get(COPY + "fibry.projection.lag") == 0);
    }

    private static long projections(ActorSystem system) {
        return system.metrics().stream()
                .map(Metric::name)
                .filter("fibry.projection.lag"::equals)
                .count();
    }

    /** Published by its own code, too. */
    static class Published {
        @Bean
        @Lazy
        RunningProjection published(ActorSystem system, JdbcStore store) throws Exception {
            RunningProjection running = Projection.toConsumer("published", Boxes.log(store), event -> {})
                    .start();
            running.publishMetrics(system);
            return running;
        }
    }

    @Test
    void aLazyProjectionThatIsPublishedTwiceHasItsMetricsOnce(CapturedOutput output) {
        with(Published.class).run(context -> {
            var system = context.getBean(ActorSystem.class);
            assertEquals(0, projections(system));
            assertThat(context.getBean(RunningProjection.class).name()).isEqualTo("published");
            assertEquals(1, projections(system));
            assertThat(output).doesNotContain("has no metrics");
        });
    }

    static class SameName {
        @Bean
        RunningProjection first(JdbcStore store) throws Exception {
            return Projection.toConsumer("twin", Boxes.log(store), event -> {}).start();
        }

        @Bean
        RunningProjection second(JdbcStore store) throws Exception {
            return Projection.toConsumer("twin", Boxes.log(store), event -> {}).start();
        }
    }

    @Test
    void aSecondProjectionOfTheSameNameHasNoMetrics(CapturedOutput output) {
        with(SameName.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertEquals(1, projections(context.getBean(ActorSystem.class)));
            assertThat(output).contains("The projection twin has no metrics.");
        });
    }

    static class TwoSystems {
        @Bean
        ActorSystem one() {
            return ActorSystem.create();
        }

        @Bean
        ActorSystem two() {
            return ActorSystem.create();
        }
    }

    @Test
    void withSeveralSystemsTheApplicationChoosesOne() {
        with(TwoSystems.class, SameName.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertEquals(0, projections(context.getBean("one", ActorSystem.class)));
            assertEquals(0, projections(context.getBean("two", ActorSystem.class)));
        });
    }

    @Test
    void applicationsHaveTheConfiguration() {
        assertThat(ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader()))
                .contains(FibryProjectionAutoConfiguration.class.getName());
    }
}
