package io.fibry.spring;

import io.fibry.durable.JdbcStore;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/** Defines a store of durable entities on the application's data source, unless there is a store. */
@AutoConfiguration(
        after = FibryAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.JndiDataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.XADataSourceAutoConfiguration"
        })
@ConditionalOnClass(JdbcStore.class)
@ConditionalOnSingleCandidate(DataSource.class)
@ConditionalOnBooleanProperty(name = "fibry.durable.enabled", matchIfMissing = true)
final class FibryDurableAutoConfiguration {

    private static final String STORE = "fibryDurableStore";

    /** Lazy: an application that has the module but no durable entities need not have the tables. */
    @Bean(STORE)
    @Lazy
    @ConditionalOnMissingBean(JdbcStore.class)
    static JdbcStore fibryDurableStore(
            DataSource dataSource, FibryProperties properties, ConfigurableBeanFactory beans) {
        // If the refresh of the context fails, only the destruction of the lifecycles closes the actor systems.
        beans.registerDependentBean(STORE, FibryAutoConfiguration.LIFECYCLE);
        beans.registerDependentBean(STORE, FibryNodeAutoConfiguration.LIFECYCLE);
        try {
            if (properties.durable().createSchema()) {
                JdbcStore.createSchema(dataSource);
            }
            return JdbcStore.of(dataSource);
        } catch (SQLException e) {
            throw new UnusableStoreException(e);
        }
    }
}
