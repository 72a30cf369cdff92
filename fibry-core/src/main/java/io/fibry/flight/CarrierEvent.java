package io.fibry.flight;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** A handler occupies its carrier thread. The event is recorded while the handler runs, possibly several times. */
@Name("fibry.CarrierHeld")
@Label("Carrier Held")
@Description("A handler has kept a carrier thread without a pause, so that no other virtual thread ran there")
@Threshold("100 ms")
public final class CarrierEvent extends ActorEvent {

    private static final EventLimit LIMIT = new EventLimit();

    @Label("Carrier")
    @Description("The name of the carrier thread")
    @Nullable
    String carrier;

    @Label("Handler Stack")
    @Description("The stack of the handler, while it kept the carrier")
    @Nullable
    String handlerStack;

    private CarrierEvent() {}

    public static boolean isWanted() {
        return new CarrierEvent().isEnabled();
    }

    /** Called when a handler was seen on a carrier. */
    public static CarrierEvent started() {
        var event = new CarrierEvent();
        event.begin();
        return event;
    }

    /** Whether the handler has occupied the carrier for longer than the threshold so far. */
    public boolean isLong() {
        end();
        return shouldCommit();
    }

    /** Records the event. Called after {@link #isLong}, possibly several times. */
    public void report(Object of, String carrierName, String stack) {
        carrier = carrierName;
        handlerStack = stack;
        record(of, LIMIT);
    }
}
