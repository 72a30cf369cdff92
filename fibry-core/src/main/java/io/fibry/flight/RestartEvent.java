package io.fibry.flight;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** An actor was restarted. */
@Name("fibry.ActorRestart")
@Label("Actor Restart")
@Description("An actor was restarted, after the backoff if there is one; the duration is that of the factory of its"
        + " behavior")
public final class RestartEvent extends ActorEvent {

    private static final EventLimit LIMIT = new EventLimit();

    @Label("Succeeded")
    @Description("Whether the factory of the behavior returned one")
    boolean succeeded;

    private RestartEvent() {}

    /** Called when a restart begins. Returns null if such events are not recorded. */
    public static @Nullable RestartEvent started() {
        var event = new RestartEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    public void over(Object of, boolean success) {
        end();
        if (shouldCommit()) {
            succeeded = success;
            record(of, LIMIT);
        }
    }
}
