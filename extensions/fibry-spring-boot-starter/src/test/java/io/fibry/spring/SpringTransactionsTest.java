package io.fibry.spring;

import static io.fibry.durable.Transactions.tellAfterCommit;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.durable.PostgresServer;
import io.fibry.durable.Recorder;
import io.fibry.durable.Transactions;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Messages after the commit of Spring's transactions. */
@Timeout(120)
class SpringTransactionsTest {

    private static PostgresServer postgres;

    private final Recorder list = new Recorder();
    private final List<String> received = list.messages();
    private DataSource dataSource;
    private PlatformTransactionManager manager;
    private JdbcTemplate jdbc;

    enum Manager {
        JDBC_H2,
        JDBC_POSTGRES,
        JPA_H2
    }

    @AfterAll
    static void stop() {
        if (postgres != null) {
            postgres.close();
        }
    }

    private void use(Manager kind) {
        if (kind == Manager.JDBC_POSTGRES) {
            postgres = postgres == null ? PostgresServer.start() : postgres;
            dataSource = postgres.dataSource();
        } else {
            dataSource = new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        }
        manager = kind == Manager.JPA_H2 ? jpa(dataSource) : new JdbcTransactionManager(dataSource);
        jdbc = new JdbcTemplate(dataSource);
        jdbc.execute("DROP TABLE IF EXISTS names");
        jdbc.execute("CREATE TABLE names (name VARCHAR(100))");
    }

    private static PlatformTransactionManager jpa(DataSource dataSource) {
        var factory = new LocalContainerEntityManagerFactoryBean();
        factory.setDataSource(dataSource);
        factory.setPackagesToScan("io.fibry.spring.without.entities");
        factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
        factory.afterPropertiesSet();
        return new JpaTransactionManager(Objects.requireNonNull(factory.getObject()));
    }

    private TransactionTemplate transaction(int propagation) {
        var template = new TransactionTemplate(manager);
        template.setPropagationBehavior(propagation);
        return template;
    }

    private TransactionTemplate transaction() {
        return transaction(TransactionDefinition.PROPAGATION_REQUIRED);
    }

    private void insert(String name) {
        jdbc.update("INSERT INTO names VALUES (?)", name);
    }

    private List<String> names() {
        return jdbc.queryForList("SELECT name FROM names ORDER BY name", String.class);
    }

    @ParameterizedTest
    @EnumSource
    void messagesAreSentAfterTheCommitInOrder(Manager kind) {
        use(kind);
        transaction().executeWithoutResult(outer -> {
            tellAfterCommit(list, "one");
            transaction().executeWithoutResult(joined -> {
                insert("alice");
                tellAfterCommit(list, "two");
            });
            tellAfterCommit(list, "three");
            assertEquals(List.of(), received);
        });
        assertEquals(List.of("one", "two", "three"), received);
        assertEquals(List.of("alice"), names());
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsSentAfterARollback(Manager kind) {
        use(kind);
        transaction().executeWithoutResult(status -> {
            insert("alice");
            tellAfterCommit(list, "lost");
            status.setRollbackOnly();
        });
        assertThrows(
                IllegalArgumentException.class,
                () -> transaction().executeWithoutResult(status -> {
                    tellAfterCommit(list, "lost");
                    throw new IllegalArgumentException();
                }));
        assertEquals(List.of(), names());
        transaction().executeWithoutResult(status -> insert("bob"));
        assertEquals(List.of(), received);
    }

    @ParameterizedTest
    @EnumSource
    void aNewTransactionHasItsOwnMessages(Manager kind) {
        use(kind);
        var requiresNew = transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        transaction().executeWithoutResult(outer -> {
            tellAfterCommit(list, "outer");
            requiresNew.executeWithoutResult(inner -> {
                insert("inner");
                tellAfterCommit(list, "inner");
            });
            assertEquals(List.of("inner"), received);
            tellAfterCommit(list, "outer");
            outer.setRollbackOnly();
        });
        assertEquals(List.of("inner"), received);
        transaction().executeWithoutResult(outer -> {
            tellAfterCommit(list, "first");
            requiresNew.executeWithoutResult(inner -> {
                tellAfterCommit(list, "lost");
                inner.setRollbackOnly();
            });
            tellAfterCommit(list, "second");
        });
        assertEquals(List.of("inner", "first", "second"), received);
        assertEquals(List.of("inner"), names());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "JPA_H2") // Hibernate has no savepoints
    void aRollbackToASavepointDiscardsTheMessagesAfterIt(Manager kind) {
        use(kind);
        var nested = transaction(TransactionDefinition.PROPAGATION_NESTED);
        transaction().executeWithoutResult(outer -> {
            nested.executeWithoutResult(first -> {
                insert("first");
                tellAfterCommit(list, "lost"); // the first message of the transaction
                first.setRollbackOnly();
            });
            tellAfterCommit(list, "one");
            nested.executeWithoutResult(second -> {
                insert("second");
                tellAfterCommit(list, "two");
            });
            nested.executeWithoutResult(third -> {
                insert("third");
                tellAfterCommit(list, "lost");
                nested.executeWithoutResult(inThird -> tellAfterCommit(list, "lost"));
                third.setRollbackOnly();
            });
            tellAfterCommit(list, "three");
            assertEquals(List.of(), received);
        });
        assertEquals(List.of("one", "two", "three"), received);
        assertEquals(List.of("second"), names());
    }

    @ParameterizedTest
    @EnumSource
    void aReadOnlyTransactionSendsItsMessages(Manager kind) {
        use(kind);
        var readOnly = transaction();
        readOnly.setReadOnly(true);
        readOnly.executeWithoutResult(status -> {
            assertEquals(List.of(), names());
            tellAfterCommit(list, "sent");
            assertEquals(List.of(), received);
        });
        assertEquals(List.of("sent"), received);
    }

    @ParameterizedTest
    @EnumSource
    void codeWithoutATransactionIsRefused(Manager kind) {
        use(kind);
        assertThrows(IllegalStateException.class, () -> tellAfterCommit(list, "x"));
        transaction(TransactionDefinition.PROPAGATION_SUPPORTS)
                .executeWithoutResult(
                        none -> assertThrows(IllegalStateException.class, () -> tellAfterCommit(list, "x")));
        transaction()
                .executeWithoutResult(outer -> transaction(TransactionDefinition.PROPAGATION_NOT_SUPPORTED)
                        .executeWithoutResult(
                                none -> assertThrows(IllegalStateException.class, () -> tellAfterCommit(list, "x"))));
        assertThrows(IllegalStateException.class, () -> tellAfterCommit(list, "x"));
    }

    @ParameterizedTest
    @EnumSource
    void aFailingSynchronizationDoesNotAffectTheMessages(Manager kind) {
        use(kind);
        assertThrows(
                IllegalArgumentException.class,
                () -> transaction().executeWithoutResult(status -> {
                    TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                        @Override
                        public void afterCommit() {
                            throw new IllegalArgumentException("after the commit");
                        }
                    });
                    insert("alice");
                    tellAfterCommit(list, "sent");
                }));
        assertEquals(List.of("alice"), names());
        assertEquals(List.of("sent"), received);
    }

    @ParameterizedTest
    @EnumSource
    void aMessageBelongsToTheTransactionThatBeganLast(Manager kind) throws Exception {
        use(kind);
        transaction().executeWithoutResult(outer -> {
            tellAfterCommit(list, "spring");
            run(() -> tellAfterCommit(list, "run in spring"));
            assertEquals(List.of("run in spring"), received);
            tellAfterCommit(list, "spring");
        });
        assertEquals(List.of("run in spring", "spring", "spring"), received);
        received.clear();
        Transactions.run(dataSource, connection -> {
            tellAfterCommit(list, "run");
            transaction().executeWithoutResult(inner -> tellAfterCommit(list, "spring in run"));
            assertEquals(List.of("spring in run"), received);
            tellAfterCommit(list, "run");
            return null;
        });
        assertEquals(List.of("spring in run", "run", "run"), received);
    }

    private void run(Runnable work) {
        try {
            Transactions.run(dataSource, connection -> {
                work.run();
                return null;
            });
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** A deferred constraint, which PostgreSQL checks when it commits. */
    @Test
    void nothingIsSentIfTheCommitFails() {
        use(Manager.JDBC_POSTGRES);
        jdbc.execute("ALTER TABLE names ADD UNIQUE (name) DEFERRABLE INITIALLY DEFERRED");
        insert("alice");
        assertThrows(
                DataIntegrityViolationException.class,
                () -> transaction().executeWithoutResult(status -> {
                    insert("alice");
                    tellAfterCommit(list, "lost");
                }));
        assertThrows(
                SQLException.class,
                () -> Transactions.run(dataSource, connection -> {
                    connection.createStatement().execute("INSERT INTO names VALUES ('alice')");
                    tellAfterCommit(list, "lost");
                    return null;
                }));
        assertEquals(List.of(), received);
    }

    @Test
    void aProgramWithoutSpringTransactionsIsOutsideOfATransaction() throws Exception {
        URL[] classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("spring-tx"))
                .map(SpringTransactionsTest::url)
                .toArray(URL[]::new);
        try (var loader = new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader())) {
            assertThrows(
                    ClassNotFoundException.class,
                    () -> loader.loadClass("org.springframework.transaction.support.TransactionSynchronization"));
            Class<?> ref = loader.loadClass("io.fibry.ActorRef");
            Method tell =
                    loader.loadClass("io.fibry.durable.Transactions").getMethod("tellAfterCommit", ref, Object.class);
            Object actor = Proxy.newProxyInstance(loader, new Class<?>[] {ref}, (p, m, a) -> null);
            var failure = assertThrows(InvocationTargetException.class, () -> tell.invoke(null, actor, "x"));
            assertEquals(IllegalStateException.class, failure.getCause().getClass());
            assertTrue(failure.getCause().getMessage().contains("this thread has no transaction"));
        }
    }

    private static URL url(String entry) {
        try {
            return new File(entry).toURI().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
