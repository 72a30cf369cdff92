package io.fibry.examples;

import io.fibry.Actor;
import io.fibry.ActorContext;
import io.fibry.ActorSystem;
import io.fibry.ReplyActor;
import io.fibry.ReplyTo;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A program with tests to copy: a seat is held for five minutes while its customer pays. A late payment is refunded.
 * {@code mvn -q -pl examples -am compile exec:exec -Dexample=Seats}
 */
record Seats(
        ActorContext<Message> context,
        ReplyActor<Payment, Boolean> cashier,
        Map<Integer, Reserve> held,
        Map<Integer, String> sold) {

    static final Duration HELD = Duration.ofMinutes(5);
    private static final Duration AGAIN = Duration.ofMinutes(1);

    sealed interface Message {}

    record Reserve(int seat, String customer, ReplyTo<Boolean> asker) implements Message {}

    private record Paid(Reserve order, boolean accepted) implements Message {}

    private record Expired(Reserve order) implements Message {}

    private record Refunded(Reserve order, boolean done) implements Message {}

    /** A request to the cashier, who replies whether it has succeeded. */
    record Payment(String customer, int seat, boolean isRefund) {}

    static Actor<Message> start(ActorSystem system, ReplyActor<Payment, Boolean> cashier, Map<Integer, String> sold) {
        return system.actor("seats")
                .newActorFrom(context -> new Seats(context, cashier, new HashMap<>(), sold)::handle);
    }

    private void handle(Message message) {
        switch (message) {
            case Reserve order
            when sold.containsKey(order.seat) || held.containsKey(order.seat) -> order.asker.reply(false);
            case Reserve order -> {
                held.put(order.seat, order);
                context.after(HELD, new Expired(order)).cancelOnStop();
                ask(new Payment(order.customer, order.seat, false), accepted -> new Paid(order, accepted));
            }
            case Paid paid
            when held.remove(paid.order.seat, paid.order) -> {
                if (paid.accepted) {
                    sold.put(paid.order.seat, paid.order.customer);
                }
                paid.order.asker.reply(paid.accepted);
            }
            case Paid late
            when late.accepted ->
                ask(new Payment(late.order.customer, late.order.seat, true), done -> new Refunded(late.order, done));
            case Refunded failed when !failed.done -> context.after(AGAIN, new Paid(failed.order, true));
            case Paid declined -> {}
            case Refunded done -> {}
            case Expired expired -> {
                if (held.remove(expired.order.seat, expired.order)) {
                    expired.order.asker.reply(false);
                }
            }
        }
    }

    private void ask(Payment payment, Function<Boolean, Message> then) {
        context.pipeToSelf(cashier.ask(payment), (reply, failure) -> then.apply(reply != null && reply));
    }

    public static void main(String[] args) {
        try (ActorSystem system = ActorSystem.create()) {
            ReplyActor<Payment, Boolean> cashier = system.actor("cashier").newActorWithReturn(payment -> true);
            Actor<Message> seats = start(system, cashier, new HashMap<>());
            for (String name : List.of("Ann", "Bob")) {
                boolean has = seats.<Boolean>ask(to -> new Reserve(12, name, to), HELD.plus(AGAIN))
                        .join();
                System.out.println(name + (has ? " has seat 12" : " has to choose another seat"));
            }
        }
    }
}
