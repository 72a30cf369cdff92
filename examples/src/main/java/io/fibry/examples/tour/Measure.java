package io.fibry.examples.tour;

import io.fibry.ActorSystem;
import io.fibry.stereotypes.Stereotypes;
import java.time.Duration;

/** Something to do again and again on either strategy. */
public interface Measure {

    /**
     * Does it in a new system for about that time.
     *
     * @return how often it was done per second
     */
    double perSecond(ActorSystem system, Duration time) throws Exception;

    /** What to say about the figures; empty for nothing. */
    default String remark() {
        return "";
    }

    /** The stereotypes of a system, on its default strategy. */
    static Stereotypes stereotypes(ActorSystem system) {
        return Stereotypes.def().in(system);
    }
}
