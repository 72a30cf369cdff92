package io.fibry.examples;

import io.fibry.entity.EntityBehavior;
import io.fibry.entity.EntityOptions;
import io.fibry.entity.LocalEntities;
import io.fibry.stereotypes.Stereotypes;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Entities: an account for each customer. At most 50 of 1000 accounts are in memory; the others are in a store, and are
 * loaded when they receive a message. The argument is the number of transfers, by default 20000.
 * {@code mvn -q -pl examples -am compile exec:exec -Dexample=Accounts -Dargs="20000"}
 */
public final class Accounts {

    private static final int CUSTOMERS = 1_000;

    private sealed interface Message {}

    private record Withdraw(int amount) implements Message {}

    private record Deposit(int amount) implements Message {}

    private final Map<Integer, Integer> store = new ConcurrentHashMap<>();
    private final AtomicInteger loads = new AtomicInteger();

    public static void main(String[] args) {
        new Accounts().run(args.length > 0 ? Integer.parseInt(args[0]) : 20_000);
    }

    /** An account in memory. It is created and loaded at its first message. */
    private final class Account implements EntityBehavior<Message, Boolean> {
        private final int customer;
        private int balance;

        Account(int customer) {
            this.customer = customer;
            balance = store.get(customer);
            loads.incrementAndGet();
        }

        /** Returns whether the balance has changed. */
        @Override
        public Boolean handle(Message message) {
            int change = switch (message) {
                case Deposit deposit -> deposit.amount;
                case Withdraw order -> -order.amount;
            };
            boolean enough = balance + change >= 0;
            balance += enough ? change : 0;
            return enough;
        }

        /** Saves the balance. The next account object of this customer is created afterwards. */
        @Override
        public void onEnd() {
            store.put(customer, balance);
        }
    }

    private void run(int transfers) {
        EntityOptions few = EntityOptions.defaults().maxInMemory(50).idleTimeout(Duration.ofSeconds(10));
        var random = new Random(1);
        for (int customer = 0; customer < CUSTOMERS; customer++) {
            store.put(customer, 100);
        }
        try (LocalEntities<Integer, Message, Boolean> accounts =
                Stereotypes.fibers().named("accounts").entities(Account::new, few)) {
            for (int i = 0; i < transfers; i++) {
                int amount = 1 + random.nextInt(100);
                CompletableFuture<Boolean> paid =
                        accounts.ref(random.nextInt(CUSTOMERS)).ask(new Withdraw(amount), Duration.ofSeconds(30));
                if (paid.join()) {
                    accounts.ref(random.nextInt(CUSTOMERS)).tell(new Deposit(amount));
                }
            }
        } // the end of each account has saved its balance
        System.out.println(
                transfers + " transfers between " + CUSTOMERS + " accounts, which were loaded " + loads + " times.");
        int sum = store.values().stream().mapToInt(Integer::intValue).sum();
        System.out.println("The sum of all balances is " + sum + ".");
    }
}
