package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ReplyActor;
import io.fibry.examples.Seats.Payment;
import io.fibry.examples.Seats.Reserve;
import io.fibry.test.ActorTest;
import io.fibry.test.Probe;
import io.fibry.test.Strategy;
import io.fibry.test.TestSystem;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Tests of an actor with timers and a slow partner. */
class SeatsTest {

    private static final Duration PATIENCE = Duration.ofHours(1);

    @AutoClose
    private final TestSystem test = TestSystem.create();

    private final Map<Integer, String> sold = new HashMap<>();
    private final Probe<Payment> cashier = test.probe("cashier");
    private final Actor<Seats.Message> seats = Seats.start(test.system(), cashier.asReplyActor(), sold);

    private static CompletableFuture<Boolean> reserve(Actor<Seats.Message> seats, String customer) {
        return seats.ask(asker -> new Reserve(12, customer, asker), PATIENCE);
    }

    @Test
    void aPaymentConfirmsTheSeat() {
        CompletableFuture<Boolean> reserved = reserve(seats, "Ann");
        cashier.expect(new Payment("Ann", 12, false));
        cashier.reply(true);
        assertTrue(reserved.join());
        assertEquals(Map.of(12, "Ann"), sold);
        assertFalse(reserve(seats, "Bob").join());
    }

    @Test
    void anUnpaidSeatIsReleasedAfterFiveMinutes() {
        CompletableFuture<Boolean> late = reserve(seats, "Ann");
        cashier.expect(new Payment("Ann", 12, false));
        test.advance(Seats.HELD.minusSeconds(1));
        assertFalse(late.isDone());
        test.advance(Duration.ofSeconds(1));
        assertFalse(late.join());
        cashier.reply(true);
        cashier.expect(new Payment("Ann", 12, true)); // the money goes back
    }

    /** Tests with a separate system for each schedule, passed as a parameter. */
    @Nested
    class WithManyOrders {

        @ActorTest(seeds = 1_000)
        void noBuyerPaysWithoutASeat(TestSystem test) {
            check(test);
        }

        @ActorTest(seeds = 1_000, strategy = Strategy.PCT)
        void noBuyerPaysWithoutASeatDespiteSlowBuyers(TestSystem test) {
            check(test);
        }

        private static void check(TestSystem test) {
            Map<Integer, String> sold = new HashMap<>();
            Map<String, Integer> paid = new HashMap<>();
            ReplyActor<Payment, Boolean> cashier = test.actor("cashier").newActorWithReturn(payment -> {
                paid.merge(payment.customer(), payment.isRefund() ? -1 : 1, Integer::sum);
                return true;
            });
            Actor<Seats.Message> seats = Seats.start(test.system(), cashier, sold);
            for (String customer : List.of("Ann", "Bob", "Cid")) {
                test.allowFailures(customer, CompletionException.class); // the seats may be slow
                test.actor(customer)
                        .newActor((String order) -> reserve(seats, customer).join())
                        .tell("reserve");
            }
            test.faults().mayThrow(cashier, () -> new IllegalStateException("no connection"));
            test.advance(PATIENCE);
            test.advance(PATIENCE); // the cashier may have been slow until now, and failed then
            for (String customer : List.of("Ann", "Bob", "Cid")) {
                assertEquals(
                        sold.containsValue(customer) ? 1 : 0, paid.getOrDefault(customer, 0), customer + " has paid");
            }
        }
    }
}
