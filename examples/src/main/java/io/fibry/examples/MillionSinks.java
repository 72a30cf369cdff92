package io.fibry.examples;

import io.fibry.Sink;
import io.fibry.stereotypes.Stereotypes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * A million actors in one heap: an idle actor is a plain object without a thread. The argument is the number of actors.
 */
public final class MillionSinks {

    private MillionSinks() {}

    public static void main(String[] args) {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;

        long start = System.nanoTime();
        List<Sink<LongAdder>> sinks = new ArrayList<>(count);
        var sum = new LongAdder();
        for (int i = 0; i < count; i++) {
            sinks.add(Stereotypes.fibers().sink(sum));
        }
        System.out.println(count + " actors created in " + (System.nanoTime() - start) / 1_000_000 + " ms.");

        for (Sink<LongAdder> sink : sinks) {
            sink.execute(LongAdder::increment);
            sink.stop(); // takes effect after the task above
        }
        sinks.forEach(Sink::waitForExit);
        System.out.println(sum + " of them have run a task and ended.");
    }
}
