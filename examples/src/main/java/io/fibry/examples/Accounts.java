package io.fibry.examples;

import io.fibry.ReplyTo;
import io.fibry.entity.Entities;
import io.fibry.entity.EntityBehavior;
import io.fibry.entity.EntityOptions;
import io.fibry.stereotypes.Stereotypes;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Entities: an account for each customer. At most 50 of 1000 are in memory; the others are in a store, and are loaded when a message
 * comes for them. The argument is the number of transfers, by default 20000.
 * {@code mvn -q -pl examples -am compile exec:exec -Dexample=Accounts -Dargs="20000"}
 */
public final class Accounts {

    private static final int CUSTOMERS = 1_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private sealed interface Message {}

    private record Withdraw(int amount, ReplyTo<Boolean> asker) implements Message {}

    private record Deposit(int amount) implements Message {}

    private record Balance(ReplyTo<Integer> asker) implements Message {}

    private final Map<Integer, Integer> store = new ConcurrentHashMap<>();
    private final AtomicInteger loads = new AtomicInteger();

    public static void main(String[] args) {
        int transfers = args.length > 0 ? Integer.parseInt(args[0]) : 20_000;
        new Accounts().run(transfers);
    }

    /** An account in memory: made, and so loaded, at its first message. */
    private final class Account implements EntityBehavior<Message> {
        private final int customer;
        private int balance; // written by its actor only

        Account(int customer) {
            this.customer = customer;
            balance = store.getOrDefault(customer, 100);
            loads.incrementAndGet();
        }

        @Override
        public void handle(Message message) {
            switch (message) {
                case Deposit deposit -> balance += deposit.amount;
                case Balance question -> question.asker.reply(balance);
                case Withdraw order -> {
                    boolean enough = balance >= order.amount;
                    balance -= enough ? order.amount : 0;
                    order.asker.reply(enough);
                }
            }
        }

        /** The next account object of this customer is made after this. */
        @Override
        public void end() {
            store.put(customer, balance);
        }
    }

    private void run(int transfers) {
        EntityOptions few = EntityOptions.defaults().maxInMemory(50).idleTimeout(Duration.ofSeconds(10));
        try (Entities<Integer, Message> accounts =
                Stereotypes.fibers().named("accounts").entities(Account::new, few)) {
            var random = new Random(1);
            int refused = 0;
            for (int i = 0; i < transfers; i++) {
                int amount = 1 + random.nextInt(100);
                int payer = random.nextInt(CUSTOMERS);
                if (withdraws(accounts, payer, amount)) {
                    accounts.tell(random.nextInt(CUSTOMERS), new Deposit(amount));
                } else {
                    refused++;
                }
            }
            System.out.println(transfers + " transfers between " + CUSTOMERS + " accounts, " + refused
                    + " of them refused; accounts were loaded " + loads + " times.");
            System.out.println("The sum of all balances is " + sum(accounts) + ".");
        }
    }

    private static boolean withdraws(Entities<Integer, Message> accounts, int payer, int amount) {
        return accounts.ask(payer, (ReplyTo<Boolean> asker) -> new Withdraw(amount, asker), TIMEOUT)
                .join();
    }

    private static int sum(Entities<Integer, Message> accounts) {
        int sum = 0;
        for (int customer = 0; customer < CUSTOMERS; customer++) {
            sum += accounts.ask(customer, Balance::new, TIMEOUT).join();
        }
        return sum;
    }
}
