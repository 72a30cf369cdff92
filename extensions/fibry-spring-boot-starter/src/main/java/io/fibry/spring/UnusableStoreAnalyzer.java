package io.fibry.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports a store that cannot be opened, with the properties that are relevant in Spring Boot. */
final class UnusableStoreAnalyzer extends AbstractFailureAnalyzer<UnusableStoreException> {

    @Override
    protected FailureAnalysis analyze(Throwable failure, UnusableStoreException cause) {
        return new FailureAnalysis(
                cause.getMessage(),
                "If tables are missing, add the statements of io/fibry/durable/schema-1.sql to the migrations of Flyway"
                        + " or Liquibase, or set fibry.durable.create-schema=true. If the database is unreachable,"
                        + " correct spring.datasource.url. For another database, define a bean of the type JdbcStore.",
                failure);
    }
}
