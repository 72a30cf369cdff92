package io.fibry.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.fibry.ActorSystem;
import io.fibry.cluster.ClusterStats;
import io.fibry.cluster.ClusterSystem;
import io.fibry.cluster.Member;
import io.fibry.micrometer.FibryMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.annotation.Bean;

/** The node of a cluster as a bean. The node of this test has no cluster. */
@Timeout(60)
class ClusterTest {

    static class Node {
        final CompletableFuture<Void> removed = new CompletableFuture<>();
        final ActorSystem system = ActorSystem.create();
        volatile boolean ready = true;

        @Bean
        ClusterSystem cluster() {
            return (ClusterSystem) Proxy.newProxyInstance(
                    ClusterSystem.class.getClassLoader(),
                    new Class<?>[] {ClusterSystem.class},
                    (proxy, method, arguments) -> switch (method.getName()) {
                        case "isReady" -> ready;
                        case "removed" -> removed;
                        case "system" -> system;
                        case "members" -> List.of(new Member("10.0.0.1", 7001, 1, Member.State.UP));
                        case "stats" -> new ClusterStats(20, 5, 0, 0, 0, 0, 0);
                        case "hashCode" -> 1;
                        case "equals" -> true; // it is the only node
                        case "close" -> {
                            system.close();
                            yield true;
                        }
                        default -> method.getName();
                    });
        }
    }

    static class Registry {
        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }
    }

    private static Health health(BeanFactory context) {
        return context.getBean("fibryClusterHealthIndicator", HealthIndicator.class)
                .health();
    }

    @Test
    void theHealthIsThatOfTheNode() {
        Contexts.with(Node.class).run(context -> {
            Node node = context.getBean(Node.class);
            Health health = health(context);
            assertEquals(Status.UP, health.getStatus());
            assertEquals(
                    "[10.0.0.1:7001 UP]", String.valueOf(health.getDetails().get("members")));
            assertEquals(20, health.getDetails().get("shards"));
            node.ready = false;
            assertEquals(Status.OUT_OF_SERVICE, health(context).getStatus());
            node.removed.complete(null);
            assertEquals(Status.DOWN, health(context).getStatus());
        });
    }

    @Test
    void aPropertyDisablesTheHealthIndicator() {
        Contexts.with(Node.class)
                .withPropertyValues("management.health.fibry-cluster.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean("fibryClusterHealthIndicator"));
    }

    @Test
    void theMetersOfBothSystemsAreBound() {
        Contexts.with(Node.class, Registry.class).run(context -> {
            assertThat(context).hasSingleBean(FibryMetrics.class);
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            context.getBean("fibryClusterMetrics", MeterBinder.class).bindTo(registry);
            String system = context.getBean(Node.class).system.name();
            assertFalse(
                    registry.get("fibry.actors").tag("system", system).meters().isEmpty());
        });
    }

    @Test
    void itStartsWithoutMicrometerAndActuator() {
        Contexts.with(Node.class)
                .withClassLoader(new FilteredClassLoader(
                        "io.micrometer", "io.fibry.micrometer", "org.springframework.boot.health"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean("fibryClusterHealthIndicator")
                        .doesNotHaveBean("fibryClusterMetrics"));
    }

    @Test
    void itStartsWithoutACluster() {
        Contexts.with()
                .withClassLoader(new FilteredClassLoader("io.fibry.cluster"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("fibryClusterHealthIndicator"));
    }
}
