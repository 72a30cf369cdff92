package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Outages with entities that store their events, their messages and reminders, and a projection. */
class EventOutageTest extends OutageFixture {

    private static final String NO_CONNECTION = "Connection is not available";

    EventOutageTest() {
        super(4, 1);
    }

    /** The projection fails, too. */
    private void survives(String failure, Step begin, Step end) throws Exception {
        var ledgers = new Ledgers(store, server().dataSource());
        survives(
                ledgers,
                failure,
                () -> {
                    begin.run();
                    ledgers.awaitProjectionFailure(failure);
                },
                end);
    }

    @Test
    void theServerStops() throws Exception {
        survives(NO_CONNECTION, server()::stop, server()::startAgain);
    }

    @Test
    void theTablesAreLocked() throws Exception {
        try (Connection other = connect("postgres")) {
            other.setAutoCommit(false);
            survives(
                    "canceling statement due to user request",
                    () -> lock(other, "fibry_entity, fibry_event, fibry_message, fibry_slice"),
                    other::rollback);
        }
    }

    @ParameterizedTest
    @CsvSource({"fibry_event", "fibry_slice"})
    void aTableIsMissingForAWhile(String table) throws Exception {
        survives(
                "the table " + table + " is missing, although the store was opened with it. Restore it with its rows",
                () -> administer("ALTER TABLE " + table + " RENAME TO other"),
                () -> administer("ALTER TABLE other RENAME TO " + table));
    }

    /** Each statement of a change takes longer than its timeout. Reads do not. */
    @Test
    void changesAreTooSlow() throws Exception {
        administer("CREATE OR REPLACE FUNCTION sleep() RETURNS trigger AS"
                + " 'BEGIN PERFORM pg_sleep(3); RETURN NULL; END' LANGUAGE plpgsql");
        survives(
                new Ledgers(store, server().dataSource()),
                "canceling statement due to statement timeout",
                () -> administer(
                        "CREATE TRIGGER slow AFTER INSERT ON fibry_event FOR EACH ROW EXECUTE FUNCTION sleep()"),
                () -> administer("DROP TRIGGER slow ON fibry_event"));
    }

    @Test
    void aReminderBecomesDueMeanwhile() throws Exception {
        try (var ledgers = new Ledgers(store, server().dataSource())) {
            ledgers.awaitMore(5);
            long number = 1;
            Instant due = stopBefore(ledgers, number, Duration.ofSeconds(1));
            for (Duration delay = Duration.ofSeconds(2); !Instant.now().isBefore(due); delay = delay.multipliedBy(2)) {
                server().startAgain(); // the server took longer to stop
                due = stopBefore(ledgers, ++number, delay);
            }
            try {
                ledgers.awaitFailure(NO_CONNECTION);
                last();
                while (Instant.now().isBefore(due)) {
                    LockSupport.parkNanos(10_000_000);
                }
            } finally {
                server().startAgain();
            }
            ledgers.awaitMore(20);
            while (!ledgers.reminded().contains(number)) {
                LockSupport.parkNanos(10_000_000);
            }
            ledgers.check();
            assertEquals(1, Collections.frequency(ledgers.reminded(), number));
        }
    }

    /** Stops the server after the reminder has been acknowledged, and returns the time of the reminder. */
    private static Instant stopBefore(Ledgers ledgers, long number, Duration delay) throws Exception {
        Instant due = Instant.now().plus(delay);
        ledgers.remind(number, due);
        server().stop();
        return due;
    }
}
