package io.fibry.spring;

import io.fibry.durable.DurableStore;
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
        return ClassUtils.isPresent("io.fibry.durable.DurableStore", loader) ? Set.of(DurableStore.class) : Set.of();
    }
}
