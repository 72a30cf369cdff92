package io.fibry.examples.bank;

import io.fibry.durable.Decision;
import io.fibry.durable.Effect;
import io.fibry.durable.EventSourced;
import io.fibry.examples.bank.Account.Command;
import io.fibry.examples.bank.Account.Event;
import io.fibry.examples.bank.Account.Reply;
import java.time.Duration;

/**
 * Decides the commands of an account. Each decision is stored as a whole: money leaves an account together with the
 * message that deposits it in another one.
 *
 * @param month the time between two statements
 */
public record AccountBehavior(String owner, Duration month) implements EventSourced<Account, Command, Event, Reply> {

    @Override
    public Account initial() {
        return Account.NEW;
    }

    @Override
    public Decision<Event, Reply> decide(Account account, Command command) {
        return switch (command) {
            case Command.Open open when account.isOpen() -> Decision.none(new Reply(true, account));
            case Command.Open open ->
                accepted(account, new Event.Opened(open.cents())).with(statementAfterAMonth());
            case Command.Transfer order -> transfer(account, order);
            case Command.Deposit deposit -> accepted(account, new Event.Deposited(deposit.from(), deposit.cents()));
            case Command.SendStatement reminder -> statement(account);
            case Command.Show show -> Decision.none(new Reply(true, account));
        };
    }

    private Decision<Event, Reply> transfer(Account account, Command.Transfer order) {
        if (order.cents() > account.cents()) {
            var refused = new Event.Refused(order.to(), order.cents());
            return Decision.to(refused, new Reply(false, account.after(refused)));
        }
        return accepted(account, new Event.Withdrawn(order.to(), order.cents()))
                .with(Account.TYPE.send(order.to(), new Command.Deposit(owner, order.cents())));
    }

    private Decision<Event, Reply> statement(Account account) {
        Decision<Event, Reply> decision = accepted(account, new Event.StatementSent());
        Account after = decision.reply().account();
        var statement = new Statement(owner, after.statements(), after.cents(), after.sent(), after.received());
        return decision.with(Statement.TOPIC.publish(statement), statementAfterAMonth());
    }

    private Effect statementAfterAMonth() {
        return Account.TYPE.remind("statement", month, new Command.SendStatement());
    }

    private static Decision<Event, Reply> accepted(Account account, Event event) {
        return Decision.to(event, new Reply(true, account.after(event)));
    }

    @Override
    public Account apply(Account account, Event event) {
        return account.after(event);
    }
}
