package io.fibry.bench.savina.workloads;

import io.fibry.bench.savina.SavinaActor;
import io.fibry.bench.savina.Workload;
import java.util.ArrayDeque;
import java.util.SplittableRandom;

/** Sleeping barber: customers enter a waiting room with 1,000 seats, and return later if it is full. */
public record SleepingBarber(int customers) implements Workload {

    private static final int SEATS = 1_000;
    private static final int PRODUCTION = 1_000;
    private static final int HAIRCUT = 1_000;

    private record Enter(Object customer) {}

    private record Returned(Object customer) {}

    private static final Object NEXT = new Object();
    private static final Object FULL = new Object();
    private static final Object WAIT = new Object();
    private static final Object BEGIN = new Object();
    private static final Object DONE = new Object();
    private static final Object CLOSE = new Object();

    @Override
    public Object expected() {
        return customers;
    }

    @Override
    public SavinaActor main() {
        return new Factory(customers);
    }

    private static final class Factory extends SavinaActor {
        private final int customers;
        private final SplittableRandom random = new SplittableRandom(1);
        private Object room = STOP;
        private int done;

        Factory(int customers) {
            this.customers = customers;
        }

        @Override
        protected void receive(Object message) {
            if (message instanceof Returned returned) {
                tell(room, new Enter(returned.customer()));
            } else if (message == DONE) {
                if (++done == customers) {
                    tell(room, CLOSE);
                    finish(done);
                    stop();
                }
            } else {
                room = spawn(new WaitingRoom());
                for (int i = 0; i < customers; i++) {
                    tell(room, new Enter(spawn(new Customer(self()))));
                    Busy.work(random, random.nextInt(PRODUCTION) + 10);
                }
            }
        }
    }

    private static final class WaitingRoom extends SavinaActor {
        private final ArrayDeque<Object> seated = new ArrayDeque<>();
        private Object barber = STOP;
        private boolean asleep = true;

        @Override
        protected void receive(Object message) {
            if (message instanceof Enter enter) {
                enter(enter.customer());
            } else if (message == CLOSE) {
                tell(barber, STOP);
                stop();
            } else if (seated.isEmpty()) {
                asleep = true;
            } else {
                tell(barber, new Enter(seated.removeFirst()));
            }
        }

        private void enter(Object customer) {
            if (barber == STOP) {
                barber = spawn(new Barber(self()));
            }
            if (seated.size() == SEATS) {
                tell(customer, FULL);
                return;
            }
            seated.add(customer);
            if (asleep) {
                asleep = false;
                tell(self(), NEXT);
            } else {
                tell(customer, WAIT);
            }
        }
    }

    private static final class Barber extends SavinaActor {
        private final SplittableRandom random = new SplittableRandom(2);
        private final Object room;

        Barber(Object room) {
            this.room = room;
        }

        @Override
        protected void receive(Object message) {
            Object customer = ((Enter) message).customer();
            tell(customer, BEGIN);
            Busy.work(random, random.nextInt(HAIRCUT) + 10);
            tell(room, NEXT); // first, because the factory closes the room after the last customer
            tell(customer, DONE);
        }
    }

    private static final class Customer extends SavinaActor {
        private final Object factory;
        private boolean begun;

        Customer(Object factory) {
            this.factory = factory;
        }

        @Override
        protected void receive(Object message) {
            if (message == FULL) {
                tell(factory, new Returned(self()));
            } else if (message == BEGIN) {
                begun = true;
            } else if (message == DONE) {
                if (!begun) {
                    throw new IllegalStateException("a haircut has ended that has not begun");
                }
                tell(factory, DONE);
                stop();
            }
        }
    }
}
