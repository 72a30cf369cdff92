package io.fibry.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.codec.RecordCodec;
import io.fibry.durable.Change;
import io.fibry.durable.Durable;
import io.fibry.durable.DurableEntities;
import io.fibry.durable.DurableOptions;
import io.fibry.durable.DurableType;
import io.fibry.durable.EventLog;
import io.fibry.durable.JdbcStore;
import io.fibry.durable.PostgresServer;
import io.fibry.durable.StateTable;
import io.fibry.entity.Entities;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.config.SingletonBeanRegistry;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The store of durable entities that the starter defines. */
@Timeout(120)
class DurableStoreTest {

    private static final String CREATE = "fibry.durable.create-schema=true";

    record Account(long balance) {}

    record Deposit(long amount) {}

    private static final DurableType<Deposit, Long> ACCOUNT =
            DurableType.of("account", RecordCodec.of(Deposit.class), RecordCodec.of(Long.class));

    static class Accounts {
        @Bean
        Entities<String, Deposit, Long> accounts(ActorSystem system, JdbcStore store) {
            return DurableEntities.start(system.actor(), table(store), DurableOptions.defaults());
        }

        StateTable<Account, Deposit, Long> table(JdbcStore store) {
            Durable<Account, Deposit, Long> behavior = new Durable<>() {
                @Override
                public Account initial() {
                    return new Account(0);
                }

                @Override
                public Change<Account, Long> handle(Account account, Deposit deposit) {
                    long balance = account.balance() + deposit.amount();
                    return Change.to(new Account(balance), balance);
                }
            };
            return StateTable.of(store, ACCOUNT, RecordCodec.of(Account.class), behavior);
        }
    }

    @SuppressWarnings("unchecked")
    static long deposit(ApplicationContext context) {
        Entities<String, Deposit, Long> accounts = context.getBean(Entities.class);
        return accounts.ref("alice").ask(new Deposit(5), Duration.ofSeconds(30)).join();
    }

    static String database() {
        return "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    }

    static ApplicationContextRunner with(Class<?>... configurations) {
        return Contexts.with(configurations)
                .withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
                .withPropertyValues("spring.datasource.url=" + database());
    }

    private static boolean isOpen(ApplicationContext context) {
        return context.getAutowireCapableBeanFactory() instanceof SingletonBeanRegistry beans
                && beans.containsSingleton("fibryDurableStore");
    }

    @Test
    void entitiesUseTheStoreOfTheDataSource() {
        with(Accounts.class).withPropertyValues(CREATE).run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(JdbcStore.class);
            assertEquals(5, deposit(context));
        });
    }

    @Test
    void theStateSurvivesInPostgres() {
        try (var postgres = PostgresServer.start()) {
            var runner = with(Accounts.class)
                    .withPropertyValues(
                            CREATE,
                            "spring.datasource.url=" + postgres.url(),
                            "spring.datasource.username=" + postgres.user(),
                            "spring.datasource.password=" + postgres.password());
            runner.run(context -> assertEquals(5, deposit(context)));
            runner.run(context -> assertEquals(10, deposit(context)));
        }
    }

    @Test
    void anApplicationWithoutEntitiesNeedsNoTables() {
        with().run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(JdbcStore.class);
            assertFalse(isOpen(context));
        });
    }

    @Test
    void missingTablesFailTheStartWithTheRemedy() {
        with(Accounts.class).run(context -> {
            var analysis = new UnusableStoreAnalyzer().analyze(context.getStartupFailure());
            assertNotNull(analysis);
            assertTrue(
                    analysis.getDescription().contains("the table fibry_entity does not exist"),
                    analysis::getDescription);
            assertTrue(analysis.getAction().contains("fibry.durable.create-schema=true"), analysis::getAction);
        });
    }

    static class OwnStore {
        @Bean
        JdbcStore own(DataSource dataSource) throws SQLException {
            JdbcStore.createSchema(dataSource);
            return JdbcStore.of(dataSource);
        }
    }

    @Test
    void aStoreOfTheApplicationReplacesIt() {
        with(OwnStore.class, Accounts.class).run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(JdbcStore.class).hasBean("own");
            assertEquals(5, deposit(context));
        });
    }

    @Test
    void aPropertyDisablesIt() {
        with().withPropertyValues("fibry.durable.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(JdbcStore.class));
    }

    @Test
    void withoutADataSourceThereIsNone() {
        Contexts.with().run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(JdbcStore.class));
    }

    static class Two {
        @Bean
        DataSource one() {
            return new DriverManagerDataSource(database());
        }

        @Bean
        DataSource two() {
            return new DriverManagerDataSource(database());
        }
    }

    static class TwoWithAPrimary extends Two {
        @Bean
        @Primary
        DataSource main() throws SQLException {
            var main = new DriverManagerDataSource(database());
            JdbcStore.createSchema(main);
            return main;
        }
    }

    @Test
    void ofSeveralDataSourcesItUsesThePrimary() {
        with(Two.class).run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(JdbcStore.class));
        with(TwoWithAPrimary.class, Accounts.class).run(context -> assertEquals(5, deposit(context)));
    }

    @Test
    void theStarterNeedsNeitherTheModuleNorJdbc() {
        with().withClassLoader(new FilteredClassLoader("io.fibry.durable", "io.fibry.codec"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(DataSource.class));
        Contexts.with()
                .withClassLoader(new FilteredClassLoader(
                        "org.springframework.jdbc",
                        "org.springframework.transaction",
                        "org.springframework.boot.jdbc",
                        "org.springframework.boot.sql"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(ActorSystem.class));
    }

    /** An actor with messages that wait until the context closes. */
    static class Backlog {
        final CountDownLatch closing = new CountDownLatch(1);
        final AtomicInteger read = new AtomicInteger();

        /** Spring would close an actor that is a bean. */
        record Saver(Actor<Long> actor) {}

        @Bean
        Saver saver(ActorSystem system, JdbcStore store) {
            EventLog<Long, Deposit, Deposit, Long> log =
                    EventLog.of(store, ACCOUNT, RecordCodec.of(Deposit.class), key -> {
                        throw new AssertionError("only read");
                    });
            Actor<Long> saver = system.actor("saver").newActor(i -> {
                closing.await();
                try (var history = log.history("id" + i)) { // fails if the store is closed
                    assertEquals(0, history.count());
                    read.incrementAndGet();
                }
            });
            for (long i = 0; i < 20; i++) {
                saver.tell(i);
            }
            return new Saver(saver);
        }
    }

    @Test
    void itIsClosedAfterTheActorsAndBeforeTheDataSource() {
        var backlog = new Backlog[1];
        var store = new JdbcStore[1];
        with(Backlog.class).withPropertyValues(CREATE).run(context -> {
            backlog[0] = context.getBean(Backlog.class);
            store[0] = context.getBean(JdbcStore.class);
            backlog[0].closing.countDown();
        });
        assertEquals(20, backlog[0].read.get());
        var entities = DurableEntities.start(new Accounts().table(store[0]));
        var reply = entities.ref("alice").ask(new Deposit(1), Duration.ofSeconds(30));
        assertInstanceOf(
                IllegalStateException.class,
                assertThrows(ExecutionException.class, reply::get).getCause());
        entities.close();
    }

    static class FailsLast {
        static final AtomicReference<Backlog> BACKLOG = new AtomicReference<>();

        @Bean
        String fails(Backlog backlog, Backlog.Saver saver) {
            assertNotNull(saver);
            BACKLOG.set(backlog);
            backlog.closing.countDown();
            throw new IllegalStateException("the start fails");
        }
    }

    @Test
    void itIsClosedAfterTheActorsIfTheStartFails() {
        with(Backlog.class, FailsLast.class)
                .withPropertyValues(CREATE)
                .run(context -> assertInstanceOf(Throwable.class, context.getStartupFailure()));
        assertEquals(20, FailsLast.BACKLOG.get().read.get());
    }
}
