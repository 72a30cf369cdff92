package io.fibry.examples;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.Overflow;
import io.fibry.stereotypes.Stereotypes;
import io.fibry.topic.LocalTopic;
import io.fibry.topic.TopicOptions;
import java.util.concurrent.locks.LockSupport;

/**
 * A topic: prices for three displays. The slow display delays no other display; it shows only some prices, but always
 * the last one. The late display begins with the current price. The argument is the number of prices, by default 1000.
 * {@code mvn -q -pl examples -am compile exec:exec -Dexample=StockTicker -Dargs="1000"}
 */
public final class StockTicker {

    /** The prices that a display has shown. Written by its actor only. */
    private static final class Display {
        private final String name;
        private final long pauseNanos;
        private int shown;
        private int last;

        Display(String name, long pauseNanos) {
            this.name = name;
            this.pauseNanos = pauseNanos;
        }

        void show(int price) {
            LockSupport.parkNanos(pauseNanos);
            shown++;
            last = price;
        }

        void report() {
            System.out.println(
                    "The " + name + " display has shown " + shown + " prices, the last one is " + last + ".");
        }
    }

    private StockTicker() {}

    public static void main(String[] args) {
        int prices = args.length > 0 ? Integer.parseInt(args[0]) : 1_000;
        try (LocalTopic<Integer> ticker =
                Stereotypes.def().named("ticker").topic(TopicOptions.defaults().keepLast(true))) {
            Actor<Integer> quick = display("quick", 0, prices);
            Actor<Integer> slow = display("slow", 1_000_000, 5);
            ticker.subscribe(quick);
            ticker.subscribe(slow);
            for (int price = 1; price <= prices; price++) {
                ticker.publish(price);
            }
            ticker.stop(); // delivers all published prices first
            ticker.waitForExit();
            quick.close();
            slow.close();
        }
        late(prices);
    }

    /** A subscriber that subscribes after the last price. */
    private static void late(int price) {
        try (LocalTopic<Integer> ticker =
                Stereotypes.def().topic(TopicOptions.defaults().keepLast(true))) {
            ticker.publish(price);
            Actor<Integer> late = display("late", 0, 1);
            ticker.subscribe(late);
            ticker.stop();
            ticker.waitForExit();
            late.close();
        }
    }

    private static Actor<Integer> display(String name, long pauseNanos, int room) {
        var display = new Display(name, pauseNanos);
        return ActorSystem.anonymous()
                .bounded(room, Overflow.DROP_OLDEST) // only the latest prices matter
                .onStop(exit -> display.report())
                .newActor(display::show);
    }
}
