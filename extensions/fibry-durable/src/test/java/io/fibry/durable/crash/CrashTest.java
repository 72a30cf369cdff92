package io.fibry.durable.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.durable.SimulatedDatabase;
import io.fibry.test.Schedules;
import io.fibry.test.TestSystem;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Processes of durable entities crash between any two statements, before a commit, and after a commit without knowing
 * it. No effect is lost or repeated, and the order is kept, also by a projection. {@code -Drounds=full} runs 10,000
 * seeds.
 *
 * <p>Seen to fail without the order of messages by number, if only the first message of a change is stored, without
 * stored replies, if reminders are not replaced, if a projection advances by one position too many, and if it does not
 * advance after a batch of several events. If handled messages are not deleted, it does not end.
 */
class CrashTest {

    private static final int SEEDS = "full".equals(System.getProperty("rounds")) ? 10_000 : 150;

    @BeforeAll
    static void start() {
        makeCodecs();
    }

    /** Slow, and would count as a wait outside of the test. */
    static void makeCodecs() {
        assertEquals("account", Accounts.TYPE.name());
        assertEquals("tally", Tally.TYPE.name());
    }

    @Test
    void effectsTakePlaceOnceAndInOrder() throws SQLException {
        try (var database = SimulatedDatabase.create()) {
            check(database, SEEDS);
        }
    }

    /** Runs the seeds from 1 to this number. */
    static void check(SimulatedDatabase database, int seeds) throws SQLException {
        Projected.create(database);
        for (long seed = 1; seed <= seeds; seed++) {
            long number = seed;
            Schedules.random(1).only(number).check(test -> run(test, database, number));
        }
    }

    private static void run(TestSystem test, SimulatedDatabase database, long seed) throws Exception {
        clear(database);
        var run = new CrashRun(test, database, seed);
        new Checks(run, run.run()).check();
    }

    private static void clear(SimulatedDatabase database) throws SQLException {
        Projected.clear(database);
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("TRUNCATE TABLE fibry_entity");
            statement.execute("TRUNCATE TABLE fibry_event");
            statement.execute("TRUNCATE TABLE fibry_reply");
            statement.execute("TRUNCATE TABLE fibry_message RESTART IDENTITY");
            statement.execute("UPDATE fibry_slice SET position = 0");
        }
    }
}
