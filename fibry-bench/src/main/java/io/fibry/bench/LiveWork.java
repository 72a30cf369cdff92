package io.fibry.bench;

import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Param;

/** A benchmark among many live actors, which uses different ones in turn. */
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public abstract class LiveWork extends PeerBenchmark {

    /**
     * The distance between consecutive actors, in the order of their creation. Each actor is used once before any is
     * used again.
     */
    private static final long FAR = 618_033_989;

    @Param({"1000", "1000000"})
    public int live;

    private long step = FAR;
    private int next;

    /** Sets the distance from an actor to the next one, in the order of their creation. */
    final void step(long distance) {
        step = distance;
    }

    /** Returns the number of the next actor. */
    final int another() {
        next = (int) ((next + step) % live);
        return next;
    }

    /** Creates all actors. */
    final Object[] all(Supplier<Object> one) {
        var made = new Object[live];
        actors.inside(() -> {
            for (int i = 0; i < live; i++) {
                made[i] = kept(one.get());
            }
        });
        return made;
    }
}
