package io.fibry.flight;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** An actor was stopped. The stack trace is that of the stopping code. */
@Name("fibry.ActorStop")
@Label("Actor Stop")
@Description("An actor was told to stop, or to stop in a harder mode")
@StackTrace
public final class StopEvent extends ActorEvent {

    private static final EventLimit LIMIT = new EventLimit();

    @Label("Mode")
    @Description("DRAIN, DISCARD or INTERRUPT")
    @Nullable
    String mode;

    private StopEvent() {}

    public static void happened(Object of, String how) {
        var event = new StopEvent();
        if (event.shouldCommit()) {
            event.mode = how;
            event.record(of, LIMIT);
        }
    }
}
