package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.codec.RecordCodec;
import io.fibry.durable.Change;
import io.fibry.durable.Durable;
import io.fibry.durable.DurableEntities;
import io.fibry.durable.DurableOptions;
import io.fibry.durable.DurableType;
import io.fibry.durable.JdbcStore;
import io.fibry.durable.SimulatedDatabase;
import io.fibry.durable.StateTable;
import io.fibry.test.TestSystem;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** The code in the Javadoc of simulated databases, compiled and run. */
class CrashSnippets {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private static final DurableType<Integer, Integer> COUNTER =
            DurableType.of("counter", RecordCodec.of(Integer.class), RecordCodec.of(Integer.class));

    /** Adds each number to its sum, and sends it to the other counter once. */
    private record Counter(String key) implements Durable<Integer, Integer, Integer> {

        @Override
        public Integer initial() {
            return 0;
        }

        @Override
        public Change<Integer, Integer> handle(Integer sum, Integer number) {
            Change<Integer, Integer> change = Change.to(sum + number, sum + number);
            return key.equals("first") ? change.with(COUNTER.send("second", number)) : change;
        }
    }

    private static DurableEntities<Integer, Integer> start(TestSystem test, JdbcStore store) {
        var table = StateTable.of(store, COUNTER, RecordCodec.of(Integer.class), Counter::new);
        return DurableEntities.start(test.actor(), table, DurableOptions.defaults());
    }

    // @start region="crash"
    @Test
    void aCrashAtAnyStep() throws Exception {
        for (int steps = 0; steps < 50; steps++) {
            try (var database = SimulatedDatabase.create();
                    var test = TestSystem.create()) {
                JdbcStore store = database.open(steps);
                DurableEntities<Integer, Integer> counters = start(test, store);
                CompletableFuture<Integer> unused = counters.ref("first").ask(5, "request 1", TIMEOUT);
                test.advance(Duration.ofSeconds(1));
                database.crash(store); // at the latest
                counters.close();
                counters = start(test, database.open());
                assertEquals(
                        5, counters.ref("first").ask(5, "request 1", TIMEOUT).get());
                test.advance(Duration.ofSeconds(5)); // the message to the other counter arrives
                assertEquals(6, counters.ref("second").ask(1, TIMEOUT).get());
            }
        }
    }

    // @end

    @Test
    void aCrashOfTheTest() throws Exception {
        try (var database = SimulatedDatabase.create();
                var test = TestSystem.create()) {
            JdbcStore store = database.open();
            DurableEntities<Integer, Integer> counters = start(test, store);
            database.crash(store);
            var reply = counters.ref("second").ask(1, TIMEOUT);
            test.runUntilIdle();
            assertTrue(database.hasCrashed(store));
            assertEquals(
                    "java.sql.SQLException: the process has crashed",
                    assertThrows(ExecutionException.class, reply::get).getMessage());
        }
    }
}
