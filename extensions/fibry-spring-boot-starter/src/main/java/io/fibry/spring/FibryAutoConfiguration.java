package io.fibry.spring;

import io.fibry.ActorSystem;
import io.fibry.ContextCarrier;
import io.fibry.SystemOptions;
import io.fibry.ThreadStrategy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Defines the application's {@link ActorSystem} unless there is one, closes it with the context after web servers and
 * before other beans are destroyed, and defines an actor for each bean with {@link FibryActor}. In slice tests, import
 * it with {@code @ImportAutoConfiguration}.
 */
@AutoConfiguration
@EnableConfigurationProperties(FibryProperties.class)
public final class FibryAutoConfiguration {

    /** The name of the bean that closes the systems. */
    static final String LIFECYCLE = "fibryLifecycle";

    private static final String PHASE_TIMEOUT = "spring.lifecycle.timeout-per-shutdown-phase";

    FibryAutoConfiguration() {}

    @Bean(LIFECYCLE)
    static SystemLifecycle fibryLifecycle(ConfigurableApplicationContext context, FibryProperties properties) {
        requireCluster(properties.cluster(), context.getClassLoader());
        Duration own = properties.shutdownTimeout();
        Duration deadline = own != null
                ? own
                : FibryProperties.checkTime(
                        PHASE_TIMEOUT,
                        Binder.get(context.getEnvironment())
                                .bind(PHASE_TIMEOUT, Duration.class)
                                .orElse(Duration.ofSeconds(30)));
        return new SystemLifecycle(context, deadline);
    }

    /** Otherwise a node without the module would start alone, without a word. */
    private static void requireCluster(FibryProperties.Cluster cluster, @Nullable ClassLoader loader) {
        if (cluster.host() != null && !ClassUtils.isPresent("io.fibry.cluster.ClusterSystem", loader)) {
            throw new InvalidActorException(
                    "The property fibry.cluster.host is set, but fibry-cluster is not on the class path.",
                    "Add the dependency io.fibry:fibry-cluster-pekko, or leave out the property.");
        }
    }

    /** Closed by the lifecycle: a second close would wait for stuck handlers again. */
    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    static ActorSystem fibryActorSystem(
            SystemLifecycle lifecycle,
            FibryProperties properties,
            ConfigurableApplicationContext context,
            ObjectProvider<ContextCarrier> carriers,
            ObjectProvider<ActorSystemCustomizer> customizers) {
        var defaults = SystemOptions.defaults();
        SystemOptions options = defaults.name(name(properties, context.getEnvironment(), defaults.name()))
                .strategy(
                        switch (properties.strategy()) {
                            case VIRTUAL -> ThreadStrategy.virtual();
                            case PLATFORM -> ThreadStrategy.platform();
                        })
                .tracking(properties.tracking() || defaults.tracking())
                .jmx(properties.jmx() || defaults.jmx())
                .latencySampling(properties.metrics().latencySampling())
                .context(ContextCarriers.of(properties, carriers.orderedStream(), context.getClassLoader()));
        for (ActorSystemCustomizer customizer : customizers.orderedStream().toList()) {
            options = customized(options, customizer);
        }
        return lifecycle.open(options);
    }

    private static SystemOptions customized(SystemOptions options, ActorSystemCustomizer customizer) {
        SystemOptions result = customizer.customize(options);
        if (result == null) {
            throw new InvalidActorException(
                    "The ActorSystemCustomizer " + customizer.getClass().getName() + " has returned null.",
                    "Return the options: their methods return new options and do not change the given ones.");
        }
        return result;
    }

    static String name(FibryProperties properties, Environment environment, String other) {
        String own = properties.name();
        if (own != null) {
            return own;
        }
        String application = environment.getProperty("spring.application.name", "");
        return application.isBlank() ? other : application;
    }

    @Bean
    static ActorRegistrar fibryActorRegistrar(Environment environment) {
        return new ActorRegistrar(environment);
    }

    @Bean(ActorRegistrar.FACTORY)
    static ActorFactory fibryActorFactory(
            ListableBeanFactory beans,
            ObjectProvider<ActorSystem> system,
            SystemLifecycle lifecycle,
            Environment environment) {
        return new ActorFactory(beans, system, lifecycle, environment);
    }
}
