package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fibry.AskTimeoutException;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** The database answers slowly, but within the timeout of a statement: asks wait, or time out, and none fails. */
class SlowDatabaseTest extends OutageFixture {

    private static final Duration LONG = Duration.ofSeconds(60);

    SlowDatabaseTest() {
        super(4, 30);
    }

    private Ledgers ledgers() throws Exception {
        return new Ledgers(store, server().dataSource());
    }

    /** Another session has locked the rows that each change needs. */
    @Test
    void asksWaitForALock() throws Exception {
        try (var ledgers = ledgers()) {
            ledgers.awaitMore(10);
            try (Connection other = connect("postgres");
                    var statement = other.createStatement()) {
                other.setAutoCommit(false);
                statement.execute("SELECT 1 FROM fibry_slice FOR UPDATE");
                CompletableFuture<Long> ask = ledgers.note("other", 1, LONG);
                server().awaitLockWait();
                assertFalse(ask.isDone());
                other.rollback();
                assertEquals(1, ask.get());
            }
            ledgers.awaitMore(10);
            ledgers.check();
            assertEquals(List.of(1L), ledgers.numbers("other", "other"));
            assertEquals(Set.of(), ledgers.failures());
        }
    }

    /** Its change may be stored later. An ask with the same request key does not store it again. */
    @Test
    void anAskTimesOutMeanwhile() throws Exception {
        try (var ledgers = ledgers()) {
            ledgers.awaitMore(10);
            try (Connection other = connect("postgres");
                    var statement = other.createStatement()) {
                other.setAutoCommit(false);
                statement.execute("SELECT 1 FROM fibry_slice FOR UPDATE");
                for (int i = 0; i < 3; i++) {
                    var e = assertThrows(
                            ExecutionException.class,
                            () -> ledgers.note("other", 1, Duration.ofMillis(200))
                                    .get());
                    assertInstanceOf(AskTimeoutException.class, e.getCause());
                }
                server().awaitLockWait();
                other.rollback();
            }
            assertEquals(1, ledgers.note("other", 1, LONG).get());
            ledgers.awaitMore(10);
            ledgers.check();
            assertEquals(List.of(1L), ledgers.numbers("other", "other"));
            assertEquals(Set.of(), ledgers.failures());
        }
    }

    @Test
    void commitsAreSlow() throws Exception {
        administer(
                "CREATE OR REPLACE FUNCTION sleep() RETURNS trigger AS"
                        + " 'BEGIN PERFORM pg_sleep(0.05); RETURN NULL; END' LANGUAGE plpgsql",
                "CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON fibry_event DEFERRABLE INITIALLY DEFERRED"
                        + " FOR EACH ROW EXECUTE FUNCTION sleep()");
        try (var ledgers = ledgers()) {
            ledgers.awaitMore(10);
            ledgers.check();
            assertEquals(Set.of(), ledgers.failures());
        }
    }
}
