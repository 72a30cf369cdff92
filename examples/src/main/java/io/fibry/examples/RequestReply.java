package io.fibry.examples;

import io.fibry.ActorSystem;
import io.fibry.stereotypes.Stereotypes;

/** One actor squares numbers, another one asks it and waits for each answer. The argument says how often: 250000. */
public final class RequestReply {

    private RequestReply() {}

    public static void main(String[] args) {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 250_000;

        var squares = ActorSystem.anonymous().newActorWithReturn((Integer n) -> (long) n * n);
        long start = System.nanoTime();
        Stereotypes.def()
                .runOnceSilent(() -> {
                    long sum = 0;
                    for (int i = 1; i <= count; i++) {
                        sum += squares.ask(i).get();
                    }
                    System.out.println("The sum of the first " + count + " squares is " + sum + ".");
                })
                .closeOnExit(squares)
                .waitForExit();
        System.out.println("It took " + (System.nanoTime() - start) / count + " ns to ask and be answered.");
    }
}
