package io.fibry.schedule;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Times of day in a time zone. A time in the gap of a forward clock change is shifted by the length of the gap; if it
 * then coincides with another time, both are due. Of a time in the overlap of a backward clock change, the first
 * occurrence counts.
 */
record DailyTimes(ZoneId zone, List<LocalTime> times) implements Function<Instant, @Nullable Instant> {

    /** The maximum shift by a clock change, in days: whole days have been skipped at the date line. */
    private static final int DAYS_AROUND = 2;

    @Override
    public Instant apply(Instant after) {
        LocalDate today = LocalDate.ofInstant(after, zone);
        Instant first = Instant.MAX;
        for (int days = -DAYS_AROUND; days <= DAYS_AROUND; days++) {
            LocalDate day = today.plusDays(days);
            for (LocalTime time : times) {
                Instant candidate = at(day, time);
                if (candidate.isAfter(after) && candidate.isBefore(first)) {
                    first = candidate;
                }
            }
        }
        return first;
    }

    private Instant at(LocalDate day, LocalTime time) {
        return ZonedDateTime.of(day, time, zone).withEarlierOffsetAtOverlap().toInstant();
    }

    /** The number of the times that are due at this instant. */
    int runsAt(Instant due) {
        LocalDate today = LocalDate.ofInstant(due, zone);
        int runs = 0;
        for (int days = -DAYS_AROUND; days <= DAYS_AROUND; days++) {
            LocalDate day = today.plusDays(days);
            runs += (int) times.stream()
                    .distinct()
                    .filter(time -> at(day, time).equals(due))
                    .count();
        }
        return runs;
    }
}
