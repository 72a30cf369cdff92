package io.fibry.test;

import java.util.List;

/** Thrown when a test fails with one of its schedules. The cause is the exception of the test. */
@SuppressWarnings("serial")
public final class ScheduleFailure extends AssertionError {

    private final String replay;
    private final transient List<String> schedule;

    ScheduleFailure(String replay, List<String> schedule, String note, Throwable cause) {
        super(text(replay, schedule, note, cause), cause);
        this.replay = replay;
        this.schedule = schedule;
    }

    private static String text(String replay, List<String> schedule, String note, Throwable cause) {
        return cause.getMessage() + "\n\nRepeat this run with @ActorTest(" + replay + ")" + note + "\n\n"
                + numbered(schedule);
    }

    static String numbered(List<String> lines) {
        var text = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            text.append("%5d  %s%n".formatted(i + 1, lines.get(i)));
        }
        return text.toString();
    }

    /** Returns the parameters of {@link ActorTest} that repeat the run. */
    public String replay() {
        return replay;
    }

    /** Returns the trace of the run, one line per step. */
    public List<String> schedule() {
        return schedule;
    }
}
