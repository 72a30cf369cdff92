package io.fibry.spring;

import io.fibry.ActorSystem;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** Defines the actuator endpoint {@code fibry}, if the application exposes it. */
@AutoConfiguration(after = FibryAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnSingleCandidate(ActorSystem.class)
final class FibryEndpointAutoConfiguration {

    @Bean
    @ConditionalOnAvailableEndpoint
    @ConditionalOnMissingBean
    static FibryEndpoint fibryEndpoint(ActorSystem system, FibryProperties properties) {
        return new FibryEndpoint(system, properties.health().stuckAfter());
    }
}
