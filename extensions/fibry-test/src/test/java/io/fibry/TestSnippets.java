package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.test.ActorTest;
import io.fibry.test.Probe;
import io.fibry.test.Schedules;
import io.fibry.test.TestSystem;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** The examples in the Javadoc. */
class TestSnippets {

    // @start region="virtualTime"
    @Test
    void anOrderExpires() {
        try (TestSystem test = TestSystem.create()) {
            Probe<String> shop = test.probe("shop");
            Actor<String> order = test.actor("order").newActorFrom(context -> {
                context.after(Duration.ofMinutes(30), "expired");
                return shop::tell;
            });
            order.tell("tea");
            shop.expect("tea");
            test.advance(Duration.ofMinutes(29));
            shop.expectNothing();
            test.advance(Duration.ofMinutes(1));
            shop.expect("expired");
        }
    }
    // @end

    // @start region="probe"
    @Test
    void theShopAsksTheStock() {
        try (TestSystem test = TestSystem.create()) {
            Probe<String> stock = test.probe("stock");
            ReplyActor<String, Integer> pieces = stock.asReplyActor();
            Actor<String> shop = test.actor("shop").newActor(item -> {
                if (pieces.ask(item).join() == 0) {
                    stock.tell("order " + item);
                }
            });
            shop.tell("tea");
            stock.expect("tea");
            stock.reply(0);
            stock.expect("order tea");
        }
    }
    // @end

    // @start region="probeReply"
    record Price(String item, ReplyTo<Integer> replyTo) {}

    @Test
    void theShopAddsTheTax() throws Exception {
        try (TestSystem test = TestSystem.create()) {
            Probe<Price> prices = test.probe("prices");
            ReplyActor<String, Integer> shop = test.actor("shop").newActorWithReturn(item -> {
                int net = prices.call(replyTo -> new Price(item, replyTo), Duration.ofSeconds(5));
                return net + net / 5;
            });
            CompletableFuture<Integer> gross = shop.ask("tea");
            prices.next();
            prices.reply(100); // to the replyTo of the message
            assertEquals(120, gross.get());
        }
    }
    // @end

    // @start region="actorTest"
    @ActorTest(seeds = 1_000)
    void noBuyerTakesMoreThanTheStock(TestSystem test) {
        int[] balance = {100};
        ReplyActor<Integer, Boolean> account = test.actor("account").newActorWithReturn(amount -> {
            boolean enough = amount <= balance[0];
            balance[0] -= enough ? amount : 0;
            return enough;
        });
        for (int i = 1; i <= 3; i++) {
            test.actor("customer " + i)
                    .newActor((Integer n) -> account.ask(n).join())
                    .tell(60);
        }
        test.runUntilIdle();
        assertEquals(40, balance[0]);
    }
    // @end

    // @start region="expectFailure"
    @Test
    void aFailedOrderRestartsTheKitchen() {
        try (TestSystem test = TestSystem.create()) {
            Probe<String> guest = test.probe("guest");
            Actor<String> kitchen = test.actor("kitchen")
                    .supervision(Supervision.restart())
                    .newActorFrom(context -> order -> {
                        if (order.equals("smoke")) {
                            throw new IllegalStateException(order);
                        }
                        guest.tell(order);
                    });
            test.expectFailure(kitchen, IllegalStateException.class);
            kitchen.tell("smoke");
            kitchen.tell("soup");
            guest.expect("soup");
        }
    }
    // @end

    @Test
    void schedulesWithoutJUnit() {
        // @start region="schedules"
        Schedules.pct(10_000, 3).parallel(2).check(test -> {
            List<String> log = new ArrayList<>();
            Actor<String> target = test.actor("target").newActor(log::add);
            Actor<String> sender = test.actor("sender").newActor(target::tell);
            sender.tell("a");
            sender.tell("b");
            test.runUntilIdle();
            assertEquals(List.of("a", "b"), log);
        });
        // @end
    }

    // @start region="faults"
    @ActorTest(seeds = 1_000)
    void aFailedWriteIsTriedAgain(TestSystem test) {
        List<String> written = new ArrayList<>();
        ReplyActor<String, Boolean> disk = test.actor("disk").newActorWithReturn(written::add);
        Actor<String> journal = test.actor("journal").newActorFrom(context -> line -> {
            try {
                disk.ask(line).join();
            } catch (CompletionException e) {
                context.self().tell(line);
            }
        });
        test.faults().mayThrow(disk, () -> new IOException("disk full"));
        journal.tell("debit");
        journal.tell("credit");
        test.runUntilIdle();
        assertTrue(written.containsAll(List.of("debit", "credit")));
    }
    // @end
}
