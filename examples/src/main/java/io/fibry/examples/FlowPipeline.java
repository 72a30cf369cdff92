package io.fibry.examples;

import io.fibry.flow.FlowSubscriber;
import io.fibry.generator.Generator;
import io.fibry.generator.GeneratorOptions;
import io.fibry.stereotypes.Stereotypes;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Flow: a generator of readings publishes, and a slow store subscribes. The store requests as many readings as it can
 * accept, so the generator is never far ahead of it. The argument is the number of readings, by default 2000.
 * {@code mvn -q -pl examples -am compile exec:exec -Dexample=FlowPipeline -Dargs="2000"}
 */
public final class FlowPipeline {

    private FlowPipeline() {}

    public static void main(String[] args) {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 2_000;
        var made = new AtomicInteger();
        var stored = new AtomicInteger();
        var farthestAhead = new AtomicLong();
        Generator<Integer> sensor = Stereotypes.def()
                .generator(
                        out -> {
                            for (int reading = 0; reading < count; reading++) {
                                made.incrementAndGet();
                                out.accept(reading);
                            }
                        },
                        GeneratorOptions.defaults().buffer(8));
        FlowSubscriber<Integer> store = Stereotypes.def().flowSubscriber(16, reading -> {
            Thread.sleep(1);
            stored.incrementAndGet();
            farthestAhead.accumulateAndGet(made.get() - stored.get(), Math::max);
        });
        Stereotypes.def().publisher(sensor).subscribe(store);
        store.waitForExit();
        System.out.println(
                stored + " of " + made + " readings stored; the sensor was at most " + farthestAhead + " ahead.");
    }
}
