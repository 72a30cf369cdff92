package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The code of the Javadoc of asks, compiled and run. The Javadoc shows the marked regions. */
class AskSnippets extends KernelTest {

    @Test
    void replyTo() throws Exception {
        var prices = Map.of("tea", 3, "cake", 5);
        // @start region="replyTo"
        record Price(String item, ReplyTo<Integer> replyTo) {}
        record Items(ReplyTo<Set<String>> replyTo) {}
        Actor<Record> shop = system.actor().newActor(message -> {
            switch (message) {
                case Price price -> price.replyTo().reply(prices.get(price.item()));
                case Items items -> items.replyTo().reply(prices.keySet());
                default -> throw new IllegalArgumentException("no such message: " + message);
            }
        });
        int price = shop.call(replyTo -> new Price("tea", replyTo), Duration.ofSeconds(10)); // waits for the reply
        CompletableFuture<Set<String>> items = shop.ask(Items::new, Duration.ofSeconds(10));
        // @end
        assertEquals(3, price);
        assertEquals(Set.of("tea", "cake"), Await.value(items));
    }

    @Test
    void call() throws Exception {
        // @start region="call"
        ReplyActor<String, Integer> numbers = system.actor().newActorWithReturn(Integer::parseInt);
        int seven = numbers.call("7"); // waits for the reply
        try {
            numbers.call("seven", Duration.ofSeconds(10));
        } catch (NumberFormatException e) { // the exception that the behavior has thrown
            seven = 7;
        }
        // @end
        assertEquals(7, seven);
        assertThrows(NumberFormatException.class, () -> numbers.call("seven"));
    }

    @Test
    void pipeToSelf() throws Exception {
        var total = new AtomicInteger();
        // @start region="pipeToSelf"
        record Order(String item) {}
        record Priced(int price) {}
        record NotPriced(Throwable reason) {}
        ReplyActor<String, Integer> prices = system.actor().newActorWithReturn(String::length);
        Actor<Record> orders = system.actor().newActorFrom(context -> message -> {
            switch (message) {
                case Order order ->
                    context.pipeToSelf( // other messages are handled meanwhile
                            prices.ask(order.item(), Duration.ofSeconds(10)),
                            (price, failure) -> price == null ? new NotPriced(failure) : new Priced(price));
                case Priced priced -> total.addAndGet(priced.price());
                default -> System.out.println(message);
            }
        });
        // @end
        orders.tell(new Order("pen"));
        orders.tell(new Order("paper"));
        assertTrue(orders.close(Duration.ofSeconds(10)));
        assertEquals(8, total.get());
    }

    @Test
    void asks() throws Exception {
        // @start region="asks"
        ReplyActor<String, Integer> first = system.actor().newActorWithReturn(String::length);
        ReplyActor<String, Integer> second = system.actor().newActorWithReturn(Integer::parseInt);
        Duration limit = Duration.ofSeconds(10);
        List<Integer> both =
                Asks.all(List.of(first.ask("ten"), second.ask("10")), limit).join();
        int quickest =
                Asks.first(List.of(first.ask("ten"), second.ask("ten")), limit).join();
        List<Future<Integer>> done =
                Asks.each(List.of(first.ask("ten"), second.ask("ten")), limit).join();
        boolean hasFailed = done.get(1).state() == Future.State.FAILED;
        // @end
        assertEquals(List.of(3, 10), both);
        assertEquals(3, quickest);
        assertTrue(hasFailed);
    }
}
