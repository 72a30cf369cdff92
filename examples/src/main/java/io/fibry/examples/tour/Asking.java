package io.fibry.examples.tour;

import io.fibry.ActorSystem;
import io.fibry.ReplyActor;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** One actor asks another and waits for each reply. The article uses this to measure a context switch. */
public final class Asking implements Measure {

    private static final int BETWEEN_LOOKS_AT_THE_CLOCK = 100;

    @Override
    public double perSecond(ActorSystem system, Duration time) {
        ReplyActor<Integer, Integer> squares = system.actor().newActorWithReturn(n -> n * n);
        var asked = new AtomicLong();
        long start = System.nanoTime();
        Measure.stereotypes(system)
                .runOnceSilent(() -> {
                    do {
                        for (int i = 0; i < BETWEEN_LOOKS_AT_THE_CLOCK; i++) {
                            squares.sendMessageReturn(i).get();
                        }
                        asked.addAndGet(BETWEEN_LOOKS_AT_THE_CLOCK);
                    } while (System.nanoTime() - start < time.toNanos());
                })
                .closeOnExit(squares)
                .waitForExit();
        return asked.get() / ((System.nanoTime() - start) / 1e9);
    }
}
