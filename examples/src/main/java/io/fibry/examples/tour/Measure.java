package io.fibry.examples.tour;

import io.fibry.ActorSystem;
import io.fibry.stereotypes.Stereotypes;
import java.time.Duration;

/** An operation to measure on both thread strategies. */
public interface Measure {

    /**
     * Repeats the operation for about this time, in a new system.
     *
     * @return operations per second
     */
    double perSecond(ActorSystem system, Duration time) throws Exception;

    /** A remark to print below the figures, or an empty string. */
    default String remark() {
        return "";
    }

    /** The stereotypes of a system, on its default strategy. */
    static Stereotypes stereotypes(ActorSystem system) {
        return Stereotypes.def().in(system);
    }
}
