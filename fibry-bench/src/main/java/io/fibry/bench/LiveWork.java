package io.fibry.bench;

import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Param;

/** A work among many live actors, of which ever other ones take part. */
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public abstract class LiveWork extends PeerBenchmark {

    /** So far from each other in the order of their making that all have had their turn before one has its second. */
    private static final long FAR = 618_033_989;

    @Param({"1000", "1000000"})
    public int live;

    private long step = FAR;
    private int next;

    /** Sets how far it is from an actor that has its turn to the next, in the order of their making. */
    final void step(long distance) {
        step = distance;
    }

    /** The number of the actor that has its turn. */
    final int another() {
        next = (int) ((next + step) % live);
        return next;
    }

    /** Makes all the actors. */
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
