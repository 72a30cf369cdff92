package io.fibry.spring;

import io.fibry.cluster.ClusterSystem;
import io.fibry.micrometer.FibryMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Defines the health indicator {@code fibryCluster} and meters, if a bean is the node of a cluster. */
@AutoConfiguration(
        after = FibryAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(ClusterSystem.class)
@ConditionalOnSingleCandidate(ClusterSystem.class)
final class FibryClusterAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthIndicator.class)
    static class HealthConfiguration {

        @Bean
        @ConditionalOnEnabledHealthIndicator("fibry-cluster")
        @ConditionalOnMissingBean(name = "fibryClusterHealthIndicator")
        static NodeHealth fibryClusterHealthIndicator(ClusterSystem cluster) {
            return new NodeHealth(cluster);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({FibryMetrics.class, MeterRegistry.class})
    @ConditionalOnBean(MeterRegistry.class)
    static class MetricsConfiguration {

        @Bean
        @ConditionalOnMissingBean(name = "fibryClusterMetrics")
        static MeterBinder fibryClusterMetrics(ClusterSystem cluster) {
            // Not a second bean of the type FibryMetrics, which would make injections ambiguous.
            return registry -> FibryMetrics.of(cluster.system()).bindTo(registry);
        }
    }
}
