package io.fibry.examples;

import io.fibry.ActorSystem;
import io.fibry.state.StateContext;
import io.fibry.state.StateMachine;
import io.fibry.state.StateMachineSpec;
import io.fibry.stereotypes.Stereotypes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * State machines: an order reserves its goods, waits for its payment, and ships. A payment that is declined three times
 * or is late cancels the order, which releases its goods: the compensation. The program also prints the diagram of the
 * machine.
 * {@code mvn -q -pl examples -am compile exec:exec -Dexample=OrderAndPayment}
 */
public final class OrderAndPayment {

    private enum State {
        NEW,
        WAITING,
        PAID,
        SHIPPED,
        CANCELLED
    }

    private sealed interface Event permits Confirm, Payment, Ship {}

    private record Confirm() implements Event {}

    private record Payment(boolean accepted) implements Event {}

    private record Ship() implements Event {}

    private static final int ATTEMPTS = 3;

    private final List<String> log = new ArrayList<>(); // by the machine only, as is the next
    private int declined;

    public static void main(String[] args) {
        new OrderAndPayment().run("pen", new Ship(), new Payment(true), new Confirm()); // two of them are too early
        new OrderAndPayment().run("ink", new Payment(false), new Payment(false), new Payment(false), new Confirm());
        new OrderAndPayment().run("cap", new Confirm());
        System.out.print(new OrderAndPayment().spec().toMermaid());
    }

    private void run(String item, Event... events) {
        try (var system = ActorSystem.create()) {
            StateMachine<State, Event> order =
                    Stereotypes.def().in(system).named(item).stateMachine(spec());
            for (Event event : events) {
                order.tell(event);
            }
            order.waitForExit();
            System.out.println(item + ": " + String.join(", ", log) + " -> " + order.state());
        }
    }

    private StateMachineSpec<State, Event> spec() {
        return StateMachineSpec.<State, Event>startingIn(State.NEW)
                .postpone(State.NEW, Ship.class)
                .postpone(State.NEW, Payment.class)
                .on(State.NEW, Confirm.class, State.WAITING)
                .onEntry(State.WAITING, context -> log.add("reserved"))
                .postpone(State.WAITING, Ship.class)
                .choose(State.WAITING, Payment.class, this::pay, List.of(State.PAID, State.WAITING, State.CANCELLED))
                .timeout(State.WAITING, Duration.ofMillis(50), State.CANCELLED)
                .on(State.PAID, Ship.class, State.SHIPPED, (ship, context) -> log.add("shipped"))
                .onEntry(State.CANCELLED, context -> log.add("given back"))
                .terminal(State.SHIPPED)
                .terminal(State.CANCELLED);
    }

    private State pay(Payment payment, StateContext<State, Event> context) {
        log.add(payment.accepted() ? "paid" : "declined");
        if (payment.accepted()) {
            return State.PAID;
        }
        return ++declined < ATTEMPTS ? State.WAITING : State.CANCELLED;
    }
}
