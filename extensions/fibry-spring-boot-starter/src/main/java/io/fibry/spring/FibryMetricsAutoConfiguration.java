package io.fibry.spring;

import io.fibry.ActorSystem;
import io.fibry.micrometer.FibryMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** Binds the system to the application's meter registries: Spring Boot binds every meter binder bean. */
@AutoConfiguration(
        after = FibryAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass({FibryMetrics.class, MeterRegistry.class})
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnSingleCandidate(ActorSystem.class)
final class FibryMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    static FibryMetrics fibryMetrics(ActorSystem system, FibryProperties properties) {
        return FibryMetrics.of(system).actors(properties.metrics().actors());
    }
}
