package io.fibry.spring;

import io.fibry.ActorSystem;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** Defines the health indicator {@code fibry}, if the application has health endpoints. */
@AutoConfiguration(after = FibryAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnSingleCandidate(ActorSystem.class)
final class FibryHealthAutoConfiguration {

    @Bean
    @ConditionalOnEnabledHealthIndicator("fibry")
    @ConditionalOnMissingBean(name = "fibryHealthIndicator")
    static SystemHealth fibryHealthIndicator(
            ActorSystem system, FibryProperties properties, ConfigurableListableBeanFactory beans) {
        return new SystemHealth(system, properties.health().stuckAfter(), beans);
    }
}
