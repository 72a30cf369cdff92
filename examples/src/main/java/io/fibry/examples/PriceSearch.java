package io.fibry.examples;

import io.fibry.ActorSystem;
import io.fibry.AskTimeoutException;
import io.fibry.Asks;
import io.fibry.ReplyActor;
import io.fibry.StopMode;
import io.fibry.ThrowingFunction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/**
 * Several asks with one deadline: the program asks three shops for a price. One replies, one fails, and one is too
 * slow. The argument is the deadline in milliseconds, by default 500.
 * {@code mvn -q -pl examples -am compile exec:exec -Dexample=PriceSearch -Dargs="500"}
 */
public final class PriceSearch {

    private final Map<String, ReplyActor<String, Integer>> shops = new LinkedHashMap<>();

    public static void main(String[] args) {
        Duration limit = Duration.ofMillis(args.length > 0 ? Long.parseLong(args[0]) : 500);
        new PriceSearch().run(limit);
    }

    private void run(Duration limit) {
        open("corner shop", item -> item.length());
        open("closed shop", item -> {
            throw new IllegalStateException("closed");
        });
        open("slow shop", item -> {
            Thread.sleep(Duration.ofHours(1));
            return 1;
        });
        List<Future<Integer>> offers = Asks.each(asks("coffee"), limit).join();
        int i = 0;
        for (String shop : shops.keySet()) {
            System.out.println(shop + ": " + textOf(offers.get(i++)));
        }
        shops.remove("slow shop").stop(StopMode.INTERRUPT);
        int first = Asks.first(asks("tea"), Duration.ofMinutes(1)).join();
        System.out.println("The first offer for tea is " + first + ".");
        shops.values().forEach(ReplyActor::close);
    }

    private void open(String name, ThrowingFunction<String, Integer> price) {
        shops.put(name, ActorSystem.named(name).newActorWithReturn(price));
    }

    private List<CompletableFuture<Integer>> asks(String item) {
        var asks = new ArrayList<CompletableFuture<Integer>>();
        shops.values().forEach(shop -> asks.add(shop.ask(item)));
        return asks;
    }

    private static String textOf(Future<Integer> offer) {
        if (offer.state() == Future.State.SUCCESS) {
            return "price " + offer.resultNow();
        }
        return offer.exceptionNow() instanceof AskTimeoutException
                ? "no offer in time"
                : offer.exceptionNow().getMessage();
    }
}
