package io.fibry.flight;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** A handler keeps its carrier thread. It is recorded while the handler runs, perhaps several times. */
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

    /** A handler was seen on a carrier. */
    public static CarrierEvent started() {
        var event = new CarrierEvent();
        event.begin();
        return event;
    }

    /** Whether the handler has kept the carrier for longer than the threshold until now. */
    public boolean isLong() {
        end();
        return shouldCommit();
    }

    /** After {@link #isLong}. May be called again, later. */
    public void report(Object of, String carrierName, String stack) {
        carrier = carrierName;
        handlerStack = stack;
        record(of, LIMIT);
    }
}
