package io.fibry.examples.tour;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.stereotypes.Stereotypes;
import java.time.Duration;

/**
 * Creates idle actors, all alive at once: 3,000 on platform threads as in the article, a million on virtual threads.
 */
public final class Creation implements Measure {

    private static final int ON_PLATFORM = 3_000;
    private static final int ON_VIRTUAL = 1_000_000;

    private int onPlatform = ON_PLATFORM;

    @Override
    public double perSecond(ActorSystem system, Duration time) {
        boolean virtual = system.defaultStrategy() == ThreadStrategy.virtual();
        Stereotypes stereotypes = Measure.stereotypes(system);
        var actors = new Actor<?>[virtual ? ON_VIRTUAL : onPlatform];
        int made = 0;
        long start = System.nanoTime();
        try {
            while (made < actors.length) {
                actors[made] = stereotypes.sink(null);
                made++;
            }
        } catch (OutOfMemoryError refused) {
            onPlatform = Math.max(1, made / 2); // leave some threads for the rest of the program
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        return made / seconds;
    }

    @Override
    public String remark() {
        return onPlatform == ON_PLATFORM
                ? "3,000 on platform threads, 1,000,000 on virtual threads"
                : "the operating system refuses 3,000 threads: %,d instead".formatted(onPlatform);
    }
}
