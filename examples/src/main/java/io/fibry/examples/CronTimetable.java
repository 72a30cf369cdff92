package io.fibry.examples;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import io.fibry.schedule.Timetable;
import io.fibry.stereotypes.Stereotypes;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;

/**
 * A timetable from a cron expression, with the library cron-utils: a timetable accepts any function from one time to
 * the next. The argument is an expression in the syntax of Quartz, by default every second. The program ends after
 * three runs.
 * {@code mvn -q -pl examples -am compile exec:exec -Dexample=CronTimetable}
 */
public final class CronTimetable {

    private CronTimetable() {}

    public static void main(String[] args) {
        ZoneId zone = ZoneId.systemDefault();
        String expression = args.length > 0 ? args[0] : "* * * * * ? *";
        Stereotypes.def()
                .named("cron")
                .schedule(
                        () -> System.out.println("Run at " + LocalTime.now(zone).truncatedTo(ChronoUnit.MILLIS)),
                        Timetable.following(following(expression, zone)).maxRuns(3))
                .waitForExit();
    }

    /** Returns the first time after the given one, or null if there is none. */
    static Function<Instant, Instant> following(String expression, ZoneId zone) {
        var parser = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.QUARTZ));
        var times = ExecutionTime.forCron(parser.parse(expression));
        return after -> times.nextExecution(after.atZone(zone))
                .map(next -> next.toInstant())
                .orElse(null);
    }
}
