package io.fibry.examples;

import io.fibry.ActorSystem;
import io.fibry.stereotypes.Stereotypes;

/**
 * One actor asks another for squares, and waits for each reply. The argument is the number of asks, by default 250000.
 */
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
                        sum += squares.call(i);
                    }
                    System.out.println("The sum of the first " + count + " squares is " + sum + ".");
                })
                .closeOnExit(squares)
                .waitForExit();
        System.out.println("Each ask and its reply took " + (System.nanoTime() - start) / count + " ns.");
    }
}
