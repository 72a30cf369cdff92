package io.fibry.spring;

import io.fibry.cluster.ClusterOptions;
import io.fibry.cluster.ClusterSystem;
import io.fibry.cluster.Discovery;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Defines a node of a cluster, if a property or a bean has its options, and makes every node that is a bean leave its
 * cluster when the context is closed.
 */
@AutoConfiguration(after = FibryAutoConfiguration.class, before = FibryClusterAutoConfiguration.class)
@ConditionalOnClass(ClusterSystem.class)
final class FibryNodeAutoConfiguration {

    /** The name of the bean that closes the nodes. */
    static final String LIFECYCLE = "fibryNodeLifecycle";

    @Bean(LIFECYCLE)
    static NodeLifecycle fibryNodeLifecycle(ConfigurableApplicationContext context) {
        // No parameter: Spring stops a bean before the beans on which it depends, whatever their phases are.
        return new NodeLifecycle(context, context.getBean(SystemLifecycle.class));
    }

    @Bean
    @ConditionalOnMissingBean({ClusterOptions.class, ClusterSystem.class})
    @ConditionalOnProperty("fibry.cluster.host")
    static ClusterOptions fibryClusterOptions(
            FibryProperties properties, ObjectProvider<Discovery> discovery, Environment environment) {
        return ClusterProperties.options(
                properties.cluster(),
                discovery.getIfAvailable(),
                FibryAutoConfiguration.name(properties, environment, "actors"));
    }

    /** Closed by the lifecycle. */
    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    @ConditionalOnBean(ClusterOptions.class)
    static ClusterSystem fibryCluster(ClusterOptions options, NodeLifecycle nodes) {
        return nodes.join(options);
    }
}
