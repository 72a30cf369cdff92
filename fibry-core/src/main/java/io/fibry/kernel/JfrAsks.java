package io.fibry.kernel;

import io.fibry.dispatch.ActorThread;
import io.fibry.flight.AskTrace;
import io.fibry.flight.EventStart;
import io.fibry.flight.Flight;
import org.jspecify.annotations.Nullable;

/** Records asks, like {@link JfrEvents} the other events. It does not depend on actors, since replies use it. */
final class JfrAsks {

    private JfrAsks() {}

    /** Called by a thread that will ask. Null if asks are not recorded. */
    static @Nullable AskTrace begin() {
        return Flight.isOn() ? beginNow() : null;
    }

    private static @Nullable AskTrace beginNow() {
        try {
            EventStart start = AskTrace.begin();
            if (start == null) {
                return null;
            }
            ActorThread asker = ActorThread.ofCurrentThread();
            return AskTrace.of(start, asker == null ? null : asker.currentActor());
        } catch (Throwable t) {
            return null;
        }
    }

    /** Records an ask that the caller has completed; the trace is null if it is not recorded. Returns the argument. */
    static boolean over(boolean completed, @Nullable AskTrace trace, @Nullable Throwable failure) {
        try {
            if (completed && trace != null) {
                trace.over(failure);
            }
        } catch (Throwable t) {
            return completed;
        }
        return completed;
    }
}
