package io.fibry.durable.crash;

import io.fibry.durable.SimulatedPostgres;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The seeds of {@link CrashTest} on PostgreSQL, whose changes are other statements: {@code -Drounds=full} runs 1,000.
 */
class PostgresCrashTest {

    private static final int SEEDS = "full".equals(System.getProperty("rounds")) ? 1000 : 10;

    @BeforeAll
    static void start() {
        CrashTest.makeCodecs();
    }

    @Test
    void effectsTakePlaceOnceAndInOrder() throws SQLException {
        try (var postgres = SimulatedPostgres.start()) {
            CrashTest.check(postgres.database(), SEEDS);
        }
    }
}
