package io.fibry.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.durable.JdbcStore;
import io.fibry.durable.PostgresServer;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;

/**
 * Flyway and Liquibase create the tables with the file of the library, before the store is opened.
 *
 * <p>Seen to fail: stores that do not wait for the migrations, a file whose last statement is missing.
 */
@Timeout(120)
class MigrationsTest {

    private static final Path GUIDE = Path.of("..", "..", "docs", "durable.md");
    private static final String CHANGES = "io/fibry/spring/changes.yaml";

    @TempDir
    Path migrations;

    @BeforeEach
    void copyMigration() throws Exception {
        try (InputStream in = JdbcStore.class.getResourceAsStream("schema-1.sql")) {
            Files.copy(in, migrations.resolve("V1__fibry.sql"));
        }
    }

    private ApplicationContextRunner flyway(Class<?>... configurations) {
        return DurableStoreTest.with(configurations)
                .withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class))
                .withPropertyValues("spring.flyway.locations=filesystem:" + migrations);
    }

    private static ApplicationContextRunner liquibase(Class<?>... configurations) {
        return DurableStoreTest.with(configurations)
                .withConfiguration(AutoConfigurations.of(LiquibaseAutoConfiguration.class))
                .withPropertyValues("spring.liquibase.change-log=classpath:" + CHANGES);
    }

    /** Starts an application twice. The second start finds the tables and the state. */
    private static void startTwice(ApplicationContextRunner runner) {
        for (long expected : List.of(5L, 10L)) {
            runner.run(context -> {
                assertNull(context.getStartupFailure());
                assertEquals(expected, DurableStoreTest.deposit(context));
            });
        }
    }

    private static ApplicationContextRunner on(PostgresServer postgres, ApplicationContextRunner runner) {
        return runner.withPropertyValues(
                "spring.datasource.url=" + postgres.url(),
                "spring.datasource.username=" + postgres.user(),
                "spring.datasource.password=" + postgres.password());
    }

    @Test
    void flywayOnH2() {
        startTwice(flyway(DurableStoreTest.Accounts.class));
    }

    @Test
    void flywayOnPostgres() {
        try (var postgres = PostgresServer.start()) {
            startTwice(on(postgres, flyway(DurableStoreTest.Accounts.class)));
        }
    }

    @Test
    void liquibaseOnH2() {
        startTwice(liquibase(DurableStoreTest.Accounts.class));
    }

    @Test
    void liquibaseOnPostgres() {
        try (var postgres = PostgresServer.start()) {
            startTwice(on(postgres, liquibase(DurableStoreTest.Accounts.class)));
        }
    }

    static class OwnStore {
        @Bean
        JdbcStore own(DataSource dataSource) throws SQLException {
            return JdbcStore.of(dataSource);
        }
    }

    @Test
    void aStoreOfTheApplicationIsOpenedAfterThem() {
        startTwice(flyway(DurableStoreTest.Accounts.class, OwnStore.class));
        startTwice(liquibase(DurableStoreTest.Accounts.class, OwnStore.class));
    }

    @Test
    void theGuideHasTheChangesOfLiquibase() throws Exception {
        try (InputStream in = MigrationsTest.class.getResourceAsStream("changes.yaml")) {
            String changes = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(Files.readString(GUIDE).contains("```yaml\n" + changes + "```"), changes);
        }
    }
}
