package io.fibry.net.attack;

import java.io.IOException;
import java.time.Duration;

/** The response times of a server under attack: for the log, since tests do not judge times. */
final class Slowest {

    /** An operation to wait for. */
    interface Answer {
        void await() throws IOException;
    }

    private int count;
    private long nanos;

    void add(Answer answer) throws IOException {
        long before = System.nanoTime();
        answer.await();
        nanos = Math.max(nanos, System.nanoTime() - before);
        count++;
    }

    @Override
    public String toString() {
        return count + " answers, the slowest after " + Duration.ofNanos(nanos).toMillis() + " ms";
    }
}
