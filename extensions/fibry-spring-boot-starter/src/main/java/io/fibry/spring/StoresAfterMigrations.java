package io.fibry.spring;

import io.fibry.durable.JdbcStore;
import java.util.Set;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDependsOnDatabaseInitializationDetector;
import org.springframework.util.ClassUtils;

/**
 * Makes the creation of stores wait for Flyway, Liquibase and Spring Boot's SQL scripts, which may create their tables.
 * Includes stores that the application defines.
 */
final class StoresAfterMigrations extends AbstractBeansOfTypeDependsOnDatabaseInitializationDetector {

    @Override
    protected Set<Class<?>> getDependsOnDatabaseInitializationBeanTypes() {
        ClassLoader loader = StoresAfterMigrations.class.getClassLoader();
        return ClassUtils.isPresent("io.fibry.durable.JdbcStore", loader) ? Set.of(JdbcStore.class) : Set.of();
    }
}
