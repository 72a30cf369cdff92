package io.fibry.examples.tour;

import io.fibry.ActorSystem;
import io.fibry.ReplyActor;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** One actor sends to another at full speed. At intervals it waits for the receiver, to limit memory use. */
public final class Telling implements Measure {

    private static final int BETWEEN_WAITS = 100_000;

    @Override
    public double perSecond(ActorSystem system, Duration time) {
        var handled = new long[1]; // accessed by the receiver only
        ReplyActor<Integer, Long> receiver = system.actor().newActorWithReturn(n -> handled[0] += n);
        var sent = new AtomicLong();
        long start = System.nanoTime();
        Measure.stereotypes(system)
                .runOnceSilent(() -> {
                    do {
                        for (int i = 1; i < BETWEEN_WAITS; i++) {
                            receiver.sendMessage(1);
                        }
                        sent.set(receiver.sendMessageReturn(1).get());
                    } while (System.nanoTime() - start < time.toNanos());
                })
                .closeOnExit(receiver)
                .waitForExit();
        return sent.get() / ((System.nanoTime() - start) / 1e9);
    }
}
