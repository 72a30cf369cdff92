package io.fibry.flight;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** An actor has ended. */
@Name("fibry.ActorEnd")
@Label("Actor End")
@Description("An actor ended")
public final class EndEvent extends ActorEvent {

    private static final EventLimit LIMIT = new EventLimit();

    @Label("Reason")
    @Description("NORMAL, FAILED or INTERRUPTED")
    @Nullable
    String reason;

    @Label("Cause")
    @Description("The class of the exception that ended the actor, if its end is a failure")
    @Nullable
    Class<?> cause;

    @Label("Handled Messages")
    long handled;

    @Label("Failed Messages")
    long failed;

    @Label("Discarded Messages")
    long discarded;

    private EndEvent() {}

    public static boolean isWanted() {
        return new EndEvent().isEnabled();
    }

    public static void happened(
            Object of, String why, @Nullable Throwable failure, long handled, long failed, long discarded) {
        var event = new EndEvent();
        if (event.shouldCommit()) {
            event.reason = why;
            event.cause = failure == null ? null : failure.getClass();
            event.handled = handled;
            event.failed = failed;
            event.discarded = discarded;
            event.record(of, LIMIT);
        }
    }
}
