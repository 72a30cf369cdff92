package io.fibry.bench;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Creates actors that each get one message and block in its handler. The time ends when the last of them has returned. */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 1)
@Measurement(iterations = 1)
public abstract class BlockedWork extends PeerBenchmark {

    private Object[] created = {};

    final void block(int handlers, int millis) throws InterruptedException {
        created = new Object[handlers];
        var left = new CountDownLatch(handlers);
        for (int i = 0; i < handlers; i++) {
            created[i] = actors.actor(message -> {
                sleep(millis);
                left.countDown();
            });
            actors.tell(created[i], "go");
        }
        left.await();
    }

    static void sleep(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @TearDown(Level.Iteration)
    public void stopThem() {
        for (Object actor : created) {
            actors.stop(actor);
        }
        created = new Object[0];
    }
}
