package io.fibry.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Times of day, also when the clocks are changed. */
class DailyTimesTest {

    private static final ZoneId ROME = ZoneId.of("Europe/Rome");

    private static List<String> daily(String after, int count, LocalTime... times) {
        var daily = new DailyTimes(ROME, List.of(times));
        var next = new ArrayList<String>();
        Instant t = Instant.parse(after);
        for (int i = 0; i < count; i++) {
            t = daily.apply(t);
            next.add(t.atZone(ROME).toLocalDateTime() + " " + t.atZone(ROME).getOffset());
        }
        return next;
    }

    @Test
    void timesOfDayRepeatDailyInOrder() {
        assertEquals(
                List.of("2026-06-01T18:00 +02:00", "2026-06-02T06:00 +02:00", "2026-06-02T18:00 +02:00"),
                daily("2026-06-01T10:00:00Z", 3, LocalTime.of(18, 0), LocalTime.of(6, 0)));
        assertEquals(List.of("2026-06-02T06:00 +02:00"), daily("2026-06-01T04:00:00Z", 1, LocalTime.of(6, 0)));
    }

    @Test
    void aTimeSkippedByTheClockChangeIsShiftedByTheGap() {
        // On 29 March 2026, 2:00 is 3:00 in Rome
        assertEquals(
                List.of("2026-03-28T02:30 +01:00", "2026-03-29T03:30 +02:00", "2026-03-30T02:30 +02:00"),
                daily("2026-03-27T12:00:00Z", 3, LocalTime.of(2, 30)));
        assertEquals(
                List.of("2026-03-29T03:10 +02:00", "2026-03-29T03:30 +02:00", "2026-03-30T02:30 +02:00"),
                daily("2026-03-28T12:00:00Z", 3, LocalTime.of(2, 30), LocalTime.of(3, 10)));
        assertEquals(
                List.of("2026-03-29T03:30 +02:00", "2026-03-30T02:30 +02:00"),
                daily("2026-03-28T12:00:00Z", 2, LocalTime.of(2, 30), LocalTime.of(3, 30)),
                "two times that fall together are one instant");
    }

    @Test
    void twoCoincidingTimesAreTwoRuns() {
        var daily = new DailyTimes(ROME, List.of(LocalTime.of(2, 30), LocalTime.of(3, 30), LocalTime.of(3, 30)));
        assertEquals(2, daily.runsAt(Instant.parse("2026-03-29T01:30:00Z")));
        assertEquals(1, daily.runsAt(Instant.parse("2026-03-30T01:30:00Z")));
        assertEquals(0, daily.runsAt(Instant.parse("2026-03-30T01:00:00Z")));
    }

    @Test
    void aTimeRepeatedByTheClockChangeCountsOnce() {
        // On 25 October 2026, 3:00 is 2:00 in Rome
        assertEquals(
                List.of("2026-10-25T02:30 +02:00", "2026-10-26T02:30 +01:00"),
                daily("2026-10-24T12:00:00Z", 2, LocalTime.of(2, 30)));
        assertEquals(
                List.of("2026-10-26T02:30 +01:00"),
                daily("2026-10-25T00:45:00Z", 1, LocalTime.of(2, 30)),
                "between the two");
    }

    @Test
    void aDayMissingFromTheCalendarHasNoRuns() { // Samoa had no 30 December 2011
        ZoneId apia = ZoneId.of("Pacific/Apia");
        var daily = new DailyTimes(apia, List.of(LocalTime.NOON));
        Instant before = Instant.parse("2011-12-29T22:00:00Z"); // noon on the 29th
        assertEquals(
                "2011-12-31T12:00",
                daily.apply(before).atZone(apia).toLocalDateTime().toString());
    }
}
