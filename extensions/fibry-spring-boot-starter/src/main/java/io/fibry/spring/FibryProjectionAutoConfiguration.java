package io.fibry.spring;

import io.fibry.ActorSystem;
import io.fibry.durable.RunningProjection;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Adds the metrics of running projections that are beans to the metrics of the system, also without Micrometer. */
@AutoConfiguration(after = FibryAutoConfiguration.class)
@ConditionalOnClass(RunningProjection.class)
final class FibryProjectionAutoConfiguration {

    @Bean
    static ProjectionPublisher fibryProjectionPublisher(ObjectProvider<ActorSystem> system) {
        return new ProjectionPublisher(system);
    }
}
