package io.fibry.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.context.MicrometerContext;
import io.fibry.micrometer.FibryMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.annotation.Bean;

/** The starter works without each of its optional modules. */
class OptionalModulesTest {

    static class Registry {
        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }
    }

    @Test
    void startsWithSpringBootAndTheCoreAlone() {
        Contexts.with()
                .withPropertyValues("management.endpoints.web.exposure.include=*")
                .withClassLoader(new FilteredClassLoader(
                        "io.micrometer",
                        "io.fibry.micrometer",
                        "io.fibry.context",
                        "org.springframework.boot.health",
                        "org.springframework.boot.micrometer",
                        "org.springframework.boot.actuate",
                        "org.springframework.web"))
                .run(context -> {
                    assertThat(context).hasSingleBean(ActorSystem.class);
                    assertEquals(
                            7,
                            context.getBean(ActorSystem.class)
                                    .actor()
                                    .newActorWithReturn((Integer n) -> n + 3)
                                    .call(4));
                    assertThat(context)
                            .doesNotHaveBean("fibryHealthIndicator")
                            .doesNotHaveBean("fibryMetrics")
                            .doesNotHaveBean("fibryEndpoint");
                });
    }

    @Test
    void withActuatorAndWithoutMicrometer() {
        Contexts.with(Registry.class)
                .withClassLoader(new FilteredClassLoader("io.fibry.micrometer", "io.fibry.context"))
                .run(context -> {
                    assertThat(context).hasSingleBean(HealthIndicator.class);
                    assertThat(context).doesNotHaveBean("fibryMetrics");
                });
    }

    @Test
    void withMicrometerAndWithoutActuator() {
        Contexts.with(Registry.class)
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
                .run(context -> {
                    assertThat(context).hasSingleBean(FibryMetrics.class);
                    assertThat(context).doesNotHaveBean("fibryHealthIndicator");
                });
    }

    @Test
    void withoutARegistryThereAreNoMeters() {
        Contexts.with().run(context -> assertThat(context).doesNotHaveBean("fibryMetrics"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mdc", "micrometer", "mdc,micrometer"})
    void aPropertyEnablesContextPropagation(String carriers) {
        Contexts.with()
                .withPropertyValues("fibry.context=" + carriers)
                .run(context -> assertThat(context).hasSingleBean(ActorSystem.class));
    }

    @Test
    void aContextThatNeedsAMissingModuleFailsTheStart() {
        Contexts.with()
                .withPropertyValues("fibry.context=micrometer")
                .withClassLoader(new FilteredClassLoader(MicrometerContext.class))
                .run(context -> {
                    Throwable failure = context.getStartupFailure();
                    while (failure.getCause() != null) {
                        failure = failure.getCause();
                    }
                    assertTrue(
                            failure.getMessage().contains("Add the dependency io.fibry:fibry-context"),
                            failure::toString);
                });
    }
}
