package io.fibry.examples;

import io.fibry.ActorSystem;
import io.fibry.stereotypes.Stereotypes;
import java.util.stream.IntStream;

/**
 * A source that runs once, and two stages. When an actor ends, it closes the next one, which first drains its mailbox.
 */
public final class RunOncePipeline {

    private RunOncePipeline() {}

    public static void main(String[] args) {
        int last = args.length > 0 ? Integer.parseInt(args[0]) : 30;

        var printer = ActorSystem.anonymous().newActor((Integer prime) -> System.out.println(prime + " is prime"));
        var filter = ActorSystem.anonymous()
                .newActor((Integer n) -> {
                    if (IntStream.range(2, n).noneMatch(divisor -> n % divisor == 0)) {
                        printer.tell(n);
                    }
                })
                .closeOnExit(printer); // after the last number
        Stereotypes.def()
                .runOnce(() -> IntStream.rangeClosed(2, last).boxed().forEach(filter::tell))
                .closeOnExit(filter); // after the source has finished

        printer.waitForExit();
        System.out.println("These are all primes up to " + last + ".");
    }
}
