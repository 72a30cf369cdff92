package io.fibry.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The common fields of all events. Stack traces are disabled where they would show only the kernel. */
@Category("Fibry")
@StackTrace(false)
abstract class ActorEvent extends Event implements Cloneable, EventStart {

    @Label("Actor")
    @Description("The name or the label of the actor, or its generated name")
    @Nullable
    String actor;

    @Label("Events Left Out")
    @Description("Events of this type that were not recorded since the one before, because there were more than 1,000 a"
            + " second")
    long leftOut;

    /** Commits the event, unless there are too many of its type. The caller has checked {@code shouldCommit}. */
    final void record(Object of, EventLimit limit) {
        if (limit.mayRecord()) {
            write(of, limit);
        }
    }

    /** As above, if the caller has checked the limit as well. */
    final void write(Object of, EventLimit limit) {
        actor = PlainText.of(of);
        leftOut = limit.takeLeftOut();
        commit();
    }

    /** Returns an event with the same begin. */
    final ActorEvent copy() {
        try {
            return (ActorEvent) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }
}
