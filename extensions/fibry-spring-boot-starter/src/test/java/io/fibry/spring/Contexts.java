package io.fibry.spring;

import io.fibry.ActorInfo;
import io.fibry.ActorSystem;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Contexts with only the starter's auto-configurations. */
final class Contexts {

    private Contexts() {}

    static ApplicationContextRunner with(Class<?>... configurations) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        FibryAutoConfiguration.class,
                        FibryClusterAutoConfiguration.class,
                        FibryDurableAutoConfiguration.class,
                        FibryEndpointAutoConfiguration.class,
                        FibryExecutorAutoConfiguration.class,
                        FibryHealthAutoConfiguration.class,
                        FibryMetricsAutoConfiguration.class,
                        FibryNodeAutoConfiguration.class,
                        FibryObservationAutoConfiguration.class,
                        FibryProjectionAutoConfiguration.class,
                        FibryTaskExecutorAutoConfiguration.class))
                .withUserConfiguration(configurations);
    }

    /** A reply may come before its message is counted. */
    static void awaitHandled(ActorSystem system, long messages) {
        while (system.stats().handled() < messages
                || system.actors().mapToLong(ActorInfo::handled).sum() < messages) {
            Thread.onSpinWait();
        }
    }
}
