package io.fibry.flight;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** A behavior has thrown. */
@Name("fibry.ActorFailure")
@Label("Actor Failure")
@Description("A behavior threw an exception")
public final class FailureEvent extends MessageEvent {

    private static final EventLimit LIMIT = new EventLimit();

    @Label("Thrown Class")
    @Nullable
    Class<?> thrownClass;

    @Label("Thrown Message")
    @Nullable
    String thrownMessage;

    @Label("Thrown At")
    @Description("The place that made the exception: the first frame outside of the JDK")
    @Nullable
    String thrownAt;

    @Label("Directive")
    @Description("What the supervision of the actor says: RESUME, RESTART, STOP or ESCALATE")
    @Nullable
    String directive;

    private FailureEvent() {}

    public static boolean isWanted() {
        return new FailureEvent().isEnabled();
    }

    public static void happened(Object of, Object message, String messageKind, Throwable thrown, String decision) {
        var event = new FailureEvent();
        if (event.shouldCommit()) {
            event.describe(message, messageKind);
            event.thrownClass = thrown.getClass();
            String text = thrown.getMessage();
            event.thrownMessage = text == null ? null : PlainText.of(text);
            event.thrownAt = place(thrown);
            event.directive = decision;
            event.record(of, LIMIT);
        }
    }

    private static @Nullable String place(Throwable thrown) {
        for (StackTraceElement frame : thrown.getStackTrace()) {
            String module = frame.getModuleName();
            if (module == null || !module.startsWith("java.")) {
                return frame.toString();
            }
        }
        return null;
    }
}
