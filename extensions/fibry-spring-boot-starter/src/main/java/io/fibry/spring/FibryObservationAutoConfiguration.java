package io.fibry.spring;

import io.fibry.context.MessageObservationConvention;
import io.fibry.context.MessageObservations;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Observes the messages of the system if a property enables it. {@link ContextCarriers} reports a missing module. */
@AutoConfiguration(before = FibryAutoConfiguration.class)
@ConditionalOnClass({MessageObservations.class, ObservationRegistry.class})
@ConditionalOnBooleanProperty("fibry.observations.enabled")
final class FibryObservationAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    static MessageObservations fibryMessageObservations(
            FibryProperties properties,
            ObjectProvider<ObservationRegistry> registries,
            ObjectProvider<MessageObservationConvention> conventions) {
        ObservationRegistry registry = registries.getIfUnique();
        if (registry == null) {
            throw new InvalidActorException(
                    "The property fibry.observations.enabled is true, but there is no single bean of the type"
                            + " ObservationRegistry.",
                    "Add the dependency org.springframework.boot:spring-boot-starter-actuator, define the bean, or"
                            + " change the property.");
        }
        var observations = MessageObservations.of(registry)
                .sampled(properties.observations().sampled());
        MessageObservationConvention convention = conventions.getIfUnique();
        return convention == null ? observations : observations.convention(convention);
    }
}
