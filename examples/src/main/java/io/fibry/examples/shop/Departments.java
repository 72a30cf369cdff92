package io.fibry.examples.shop;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.Overflow;
import io.fibry.ReplyActor;
import io.fibry.Supervision;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** The actors of a shop, with four deliberate faults. An order is represented by its number. */
public final class Departments {

    private static final int HOW_MANY = 0; // a question, and no order
    private static final Duration PATIENCE = Duration.ofSeconds(4);

    private Departments() {}

    /** Starts all actors. Returns the actor that receives the orders. */
    public static Actor<Integer> open(ActorSystem system) {
        Actor<Integer> billing =
                system.actor("billing").bounded(1_000, Overflow.DROP_NEWEST).newActor(Departments::askTheBank);
        Actor<Integer> packing = packing(system);
        Actor<Integer> prices = system.actor("prices").newActor(Departments::computePrices);
        Actor<Integer> stock = twoInACycle(system, "stock", "supplier", true);
        Actor<Integer> returns = twoInACycle(system, "returns", "refunds", false);
        return system.actor("orders").newActor(order -> {
            billing.tell(order);
            packing.tell(order);
            if (order % 7 == 0) {
                prices.tell(order);
            }
            if (order % 60 == 1) {
                stock.tell(order);
            }
            if (order % 60 == 31) {
                returns.tell(order);
            }
        });
    }

    private static void askTheBank(int order) throws InterruptedException {
        Thread.sleep(300);
    }

    private static Actor<Integer> packing(ActorSystem system) {
        Actor<Integer> labels = system.actor("labels")
                .supervision(Supervision.restart())
                .newActorFrom(context -> Departments::printLabel);
        return system.actor("packing").newActorFrom(context -> {
            var packers = IntStream.rangeClosed(1, 3)
                    .mapToObj(i -> context.spawn().label("packer " + i).newActor(labels::tell))
                    .toList();
            return order -> packers.get(order % 3).tell(order);
        });
    }

    private static void printLabel(int order) {
        if (order % 10 == 5) {
            throw new IllegalArgumentException("order " + order + " has no address");
        }
    }

    /** Computes, which keeps other virtual threads from this processor. */
    private static void computePrices(int order) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    /** Asks another actor, which asks back: the first actor cannot reply while it waits. */
    private static Actor<Integer> twoInACycle(ActorSystem system, String first, String second, boolean limited) {
        ReplyActor<Integer, Integer> other = system.actor(second)
                .newActorWithReturn(order ->
                        call(system.<Integer, Integer>findWithReturn(first).orElseThrow(), HOW_MANY, limited));
        return system.actor(first)
                .newActorWithReturn((Integer order) -> order == HOW_MANY ? 7 : call(other, order, limited));
    }

    private static int call(ReplyActor<Integer, Integer> actor, int message, boolean limited) throws Exception {
        return limited ? actor.call(message, PATIENCE) : actor.call(message);
    }
}
