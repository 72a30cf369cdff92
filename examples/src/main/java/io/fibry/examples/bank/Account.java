package io.fibry.examples.bank;

import io.fibry.codec.RecordCodec;
import io.fibry.durable.DurableType;

/**
 * The state of an account.
 *
 * @param isOpen whether it has received its first money
 * @param cents the balance
 * @param orders the number of transfers that its owner has ordered, including the refused ones
 * @param sent the number of transfers to other accounts
 * @param received the number of transfers from other accounts
 * @param statements the number of statements sent to its owner
 */
public record Account(boolean isOpen, long cents, long orders, long sent, long received, int statements) {

    static final Account NEW = new Account(false, 0, 0, 0, 0, 0);

    /** The accounts as entities; their keys are the names of the owners. */
    public static final DurableType<Command, Reply> TYPE =
            DurableType.of("account", RecordCodec.of(Command.class), RecordCodec.of(Reply.class));

    /** A message to an account. */
    public sealed interface Command {

        /** Opens the account, unless it is open. */
        record Open(long cents) implements Command {}

        /** An order of the owner. */
        record Transfer(String to, long cents) implements Command {

            /** @throws IllegalArgumentException if the amount is not positive */
            public Transfer {
                if (cents <= 0) {
                    throw new IllegalArgumentException("the amount must be positive, not " + cents);
                }
            }
        }

        /** Money from another account. */
        record Deposit(String from, long cents) implements Command {}

        /** A reminder: another month has passed. */
        record SendStatement() implements Command {}

        /** A question. */
        record Show() implements Command {}
    }

    /** The reply to a command: whether it was accepted, and the account after it. */
    public record Reply(boolean isAccepted, Account account) {}

    /** An event in the history of an account. */
    public sealed interface Event {

        record Opened(long cents) implements Event {}

        record Withdrawn(String to, long cents) implements Event {}

        record Refused(String to, long cents) implements Event {}

        record Deposited(String from, long cents) implements Event {}

        record StatementSent() implements Event {}
    }

    Account after(Event event) {
        return switch (event) {
            case Event.Opened opened -> new Account(true, cents + opened.cents, orders, sent, received, statements);
            case Event.Withdrawn withdrawn ->
                new Account(isOpen, cents - withdrawn.cents, orders + 1, sent + 1, received, statements);
            case Event.Refused refused -> new Account(isOpen, cents, orders + 1, sent, received, statements);
            case Event.Deposited deposited ->
                new Account(isOpen, cents + deposited.cents, orders, sent, received + 1, statements);
            case Event.StatementSent statement -> new Account(isOpen, cents, orders, sent, received, statements + 1);
        };
    }

    static String euros(long cents) {
        return String.format("%d.%02d", cents / 100, cents % 100);
    }
}
