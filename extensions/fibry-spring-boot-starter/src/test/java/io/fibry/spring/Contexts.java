package io.fibry.spring;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Contexts with the starter's auto-configurations, and no other. */
final class Contexts {

    private Contexts() {}

    static ApplicationContextRunner with(Class<?>... configurations) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        FibryAutoConfiguration.class,
                        FibryHealthAutoConfiguration.class,
                        FibryMetricsAutoConfiguration.class,
                        FibryTaskExecutorAutoConfiguration.class))
                .withUserConfiguration(configurations);
    }
}
