package io.fibry.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Order-dependent bugs are found within the stated number of seeds and are repeatable; there are no false positives.
 */
class KnownBugsTest {

    private static final int REPEATED = 1_000;
    private static final int MENDED_SEEDS = Integer.getInteger("mended.seeds", 3_000);

    @ParameterizedTest
    @EnumSource
    void isFoundAndRepeated(KnownBug bug) {
        ScheduleFailure found = assertThrows(
                ScheduleFailure.class, () -> Schedules.random(bug.seeds).check(test -> bug.run(test, false)));
        long seed = Long.parseLong(found.replay().replace("seed = ", ""));
        for (int i = 0; i < REPEATED; i++) {
            ScheduleFailure again = assertThrows(
                    ScheduleFailure.class, () -> Schedules.random(1).only(seed).check(test -> bug.run(test, false)));
            assertEquals(found.schedule(), again.schedule());
            assertEquals(found.getMessage(), again.getMessage());
        }
    }

    @ParameterizedTest
    @EnumSource
    void isFoundByPriorities(KnownBug bug) {
        assertThrows(
                ScheduleFailure.class, () -> Schedules.pct(10 * bug.seeds, 3).check(test -> bug.run(test, false)));
    }

    @ParameterizedTest
    @EnumSource
    void theMendedTwinPasses(KnownBug bug) {
        assertEquals(MENDED_SEEDS, Schedules.random(MENDED_SEEDS).parallel(2).check(test -> bug.run(test, true)));
        assertEquals(MENDED_SEEDS, Schedules.pct(MENDED_SEEDS, 3).parallel(2).check(test -> bug.run(test, true)));
    }
}
