package io.fibry.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorStoppedException;
import io.fibry.ActorTimer;
import io.fibry.AskTimeoutException;
import io.fibry.MailboxFullException;
import io.fibry.Overflow;
import io.fibry.ReplyActor;
import io.fibry.StopMode;
import io.fibry.Supervision;
import io.fibry.entity.Entities;
import io.fibry.stereotypes.Stereotypes;
import io.fibry.topic.LocalTopic;
import io.fibry.topic.TopicOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;

/**
 * Small programs with an order-dependent bug, each with a fixed counterpart. The number is the number of seeds within
 * which the bug is found.
 */
enum KnownBug {

    /** Two customers read the balance before they withdraw from it. */
    CHECK_THEN_ACT(20) {
        @Override
        void run(TestSystem test, boolean mended) {
            int[] balance = {100};
            ReplyActor<Integer, Integer> account = test.actor("account").newActorWithReturn(amount -> {
                if (mended && amount > balance[0]) {
                    return balance[0];
                }
                balance[0] -= amount;
                return balance[0];
            });
            List<Actor<Integer>> customers = new ArrayList<>();
            for (int i = 1; i <= 2; i++) {
                customers.add(test.actor("customer " + i).newActor((Integer wanted) -> {
                    if (account.ask(0).join() >= wanted) {
                        account.tell(wanted);
                    }
                }));
            }
            customers.forEach(customer -> customer.tell(100));
            test.runUntilIdle();
            assertTrue(balance[0] >= 0, "the account is overdrawn: " + balance[0]);
        }
    },

    /** A counter asks for a price, and then sets a total that it has computed from a stale state. */
    LOST_UPDATE_THROUGH_BECOME(20) {
        record Added(int total, int price) {}

        @Override
        void run(TestSystem test, boolean mended) {
            int[] shown = {0};
            ReplyActor<String, Integer> prices = test.actor("prices").newActorWithReturn(item -> 10);
            Actor<Object> cart = test.actor("cart")
                    .newActorFrom(context -> new Object() {
                        void handle(Object message, int total) {
                            if (message instanceof Added added) {
                                int next = mended ? total + added.price() : added.total() + added.price();
                                shown[0] = next;
                                context.become(m -> handle(m, next));
                            } else {
                                context.pipeToSelf(
                                        prices.ask((String) message), (price, failure) -> new Added(total, price));
                            }
                        }

                        void first(Object message) {
                            handle(message, 0);
                        }
                    }::first);
            cart.tell("tea");
            cart.tell("bread");
            test.runUntilIdle();
            assertEquals(20, shown[0]);
        }
    },

    /** Two senders, whose messages are expected in the order of the senders. */
    ORDER_BETWEEN_SENDERS(20) {
        @Override
        void run(TestSystem test, boolean mended) {
            List<String> log = new ArrayList<>();
            Actor<String> account = test.actor("account").newActor(log::add);
            ReplyActor<String, String> opener = test.actor("opener").newActorWithReturn(name -> {
                account.tell("open");
                return name;
            });
            Actor<String> payer = test.actor("payer").newActor(name -> account.tell("pay"));
            if (mended) {
                opener.ask("Ann").join();
            } else {
                opener.tell("Ann");
            }
            payer.tell("Ann");
            test.runUntilIdle();
            assertEquals(List.of("open", "pay"), log);
        }
    },

    /** A client that expects a reply of an actor that is stopped concurrently. */
    STOP_RACES_WITH_REPLY(20) {
        @Override
        void run(TestSystem test, boolean mended) {
            ReplyActor<Integer, Integer> doubler = test.actor("doubler").newActorWithReturn(n -> 2 * n);
            Actor<String> janitor = test.actor("janitor").newActor(order -> doubler.stop(StopMode.DISCARD));
            List<String> replies = new ArrayList<>();
            Actor<Integer> client = test.actor("client").newActor((Integer n) -> {
                try {
                    replies.add("" + doubler.ask(n).join());
                } catch (CompletionException e) {
                    if (mended && e.getCause() instanceof ActorStoppedException) {
                        replies.add("closed");
                    }
                }
            });
            client.tell(21);
            janitor.tell("clean up");
            test.runUntilIdle();
            assertEquals(1, replies.size(), "the client has got no reply");
        }
    },

    /** An order that is paid in time, but expires by its timer. */
    TIMER_AFTER_CANCEL(100) {
        @Override
        void run(TestSystem test, boolean mended) {
            List<String> log = new ArrayList<>();
            Actor<String> order = test.actor("order").newActor((String message) -> {
                if (!mended || log.isEmpty()) {
                    log.add(message);
                }
            });
            Actor<String> reminder = test.actor("reminder").newActorFrom(context -> {
                ActorTimer timer = context.after(Duration.ofMinutes(1), "due");
                return message -> {
                    if (message.equals("due")) {
                        order.tell("expired");
                    } else {
                        timer.cancel();
                    }
                };
            });
            ReplyActor<String, String> cashier = test.actor("cashier").newActorWithReturn(name -> {
                order.tell("paid");
                reminder.tell("cancel");
                return name;
            });
            cashier.ask("Ann").join();
            test.runUntilIdle();
            assertEquals(1, log.size(), "the order is " + log);
        }
    },

    /** Orders that wait in a list of the behavior instead of the stash when the behavior restarts. */
    RESTART_LOSES_A_STASH(20) {
        @Override
        void run(TestSystem test, boolean mended) {
            List<String> cooked = new ArrayList<>();
            Actor<String> kitchen = test.actor("kitchen")
                    .supervision(Supervision.restart())
                    .newActorFrom(context -> new Object() {
                        final List<String> orders = new ArrayList<>();
                        boolean open;

                        void handle(String message) {
                            switch (message) {
                                case "open" -> {
                                    open = true;
                                    context.unstashAll();
                                    cooked.addAll(orders);
                                    orders.clear();
                                }
                                case "smoke" -> throw new IllegalStateException("smoke");
                                default -> {
                                    if (open) {
                                        cooked.add(message);
                                    } else if (mended) {
                                        context.stash();
                                    } else {
                                        orders.add(message);
                                    }
                                }
                            }
                        }
                    }::handle);
            Actor<String> waiter = test.actor("waiter").newActor(kitchen::tell);
            Actor<String> oven = test.actor("oven").newActor(kitchen::tell);
            test.expectFailure(kitchen, IllegalStateException.class);
            waiter.tell("soup");
            oven.tell("smoke");
            test.runUntilIdle();
            kitchen.tell("open");
            test.runUntilIdle();
            assertEquals(List.of("soup"), cooked);
        }
    },

    /** Two actors with small mailboxes that send to each other. */
    FULL_MAILBOX_CYCLE(20) {
        @Override
        void run(TestSystem test, boolean mended) {
            List<String> problems = new ArrayList<>();
            List<Actor<Integer>> both = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                int other = 1 - i;
                both.add(test.actor("player " + i)
                        .bounded(mended ? 10 : 1, Overflow.BLOCK)
                        .newActor((Integer balls) -> {
                            for (int n = 0; n < balls; n++) {
                                try {
                                    both.get(other).tell(0);
                                } catch (MailboxFullException e) {
                                    problems.add(e.getMessage());
                                }
                            }
                        }));
            }
            both.forEach(player -> player.tell(2));
            test.runUntilIdle();
            assertEquals(List.of(), problems);
        }
    },

    /** A payment that is repeated because its reply arrived too late. */
    DOUBLE_CHARGE(100) {
        record Payment(String key, int amount) {}

        @Override
        void run(TestSystem test, boolean mended) {
            int[] charged = {0};
            Set<String> keys = new HashSet<>();
            ReplyActor<Payment, String> bank = test.actor("bank").newActorWithReturn(payment -> {
                if (!mended || keys.add(payment.key())) {
                    charged[0] += payment.amount();
                }
                return "paid";
            });
            Actor<Integer> shop = test.actor("shop").newActor((Integer amount) -> {
                boolean paid = false;
                for (int i = 0; i < 3 && !paid; i++) {
                    try {
                        paid = bank.ask(new Payment("order 1", amount), Duration.ofSeconds(1))
                                .join()
                                .equals("paid");
                    } catch (CompletionException e) {
                        paid = !(e.getCause() instanceof AskTimeoutException);
                    }
                }
            });
            shop.tell(10);
            test.advance(Duration.ofMinutes(1));
            assertTrue(charged[0] <= 10, "the customer has paid " + charged[0]);
        }
    },

    /** A cache of actors that end when idle: an ended actor may get a message. */
    PASSIVATED_ENTITY(100) {
        @Override
        void run(TestSystem test, boolean mended) {
            List<String> handled = new ArrayList<>();
            List<String> lost = new ArrayList<>();
            if (mended) {
                Entities<String, String, Boolean> carts =
                        Stereotypes.def().in(test.system()).entities(key -> handled::add);
                teller(test, "first", message -> carts.ref("Ann").tell(message));
            } else {
                Map<String, Actor<String>> carts = new HashMap<>();
                teller(test, "first", message -> {
                    try {
                        carts.computeIfAbsent("Ann", key -> cart(test, handled, carts))
                                .tell(message);
                    } catch (ActorStoppedException e) {
                        lost.add(message);
                    }
                });
            }
            test.advance(Duration.ofMinutes(5));
            assertEquals(2, handled.size(), "lost: " + lost);
        }

        private static void teller(TestSystem test, String name, java.util.function.Consumer<String> send) {
            Actor<String> teller = test.actor(name).newActorFrom(context -> {
                context.after(Duration.ofMinutes(1), "bread");
                return send::accept;
            });
            teller.tell("tea");
        }

        private static Actor<String> cart(TestSystem test, List<String> handled, Map<String, Actor<String>> carts) {
            return test.actor("cart of Ann").newActorFrom(context -> {
                context.receiveTimeout(Duration.ofMinutes(1), "idle");
                return message -> {
                    if (message.equals("idle")) {
                        context.self().stop();
                        ReplyActor<String, String> log = test.actor().newActorWithReturn(m -> m);
                        log.ask("passivated").join();
                        carts.remove("Ann");
                    } else {
                        handled.add(message);
                    }
                };
            });
        }
    },

    /** A subscriber that must subscribe before the first value. */
    LATE_SUBSCRIBER(20) {
        @Override
        void run(TestSystem test, boolean mended) {
            List<Integer> prices = new ArrayList<>();
            LocalTopic<Integer> topic = Stereotypes.def()
                    .in(test.system())
                    .topic(TopicOptions.defaults().keepLast(mended));
            Actor<Integer> screen = test.actor("screen").newActor(prices::add);
            Actor<String> publisher = test.actor("publisher").newActor(order -> topic.publish(42));
            Actor<String> subscriber = test.actor("subscriber").newActor(order -> topic.subscribe(screen));
            subscriber.tell("begin");
            publisher.tell("begin");
            test.runUntilIdle();
            assertEquals(List.of(42), prices);
        }
    };

    final int seeds;

    KnownBug(int seeds) {
        this.seeds = seeds;
    }

    abstract void run(TestSystem test, boolean mended) throws Exception;
}
