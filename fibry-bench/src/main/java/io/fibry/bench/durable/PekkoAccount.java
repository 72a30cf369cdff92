package io.fibry.bench.durable;

import io.fibry.bench.durable.Account.Deposited;
import java.util.Collections;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.Effect;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;

/** A persistent actor. */
final class PekkoAccount extends EventSourcedBehavior<PekkoAccount.Command, Deposited, Account> {

    /** The tag of all events that a projection reads. */
    static final String TAG = "deposit";

    sealed interface Command {
        record Deposit(int times, ActorRef<Long> replyTo) implements Command {}

        record Balance(ActorRef<Long> replyTo) implements Command {}

        enum Stop implements Command {
            STOP
        }
    }

    private final Storage storage;

    PekkoAccount(String key, Storage storage) {
        super(PersistenceId.of("account", key));
        this.storage = storage;
    }

    @Override
    public Account emptyState() {
        return Account.EMPTY;
    }

    @Override
    public CommandHandler<Command, Deposited, Account> commandHandler() {
        return newCommandHandlerBuilder()
                .forAnyState()
                .onCommand(Command.Deposit.class, this::deposit)
                .onCommand(
                        Command.Balance.class,
                        (account, command) -> Effect().reply(command.replyTo(), account.balance()))
                .onCommand(Command.Stop.class, () -> Effect().stop())
                .build();
    }

    private Effect<Deposited, Account> deposit(Account account, Command.Deposit command) {
        var persisted = command.times() == 1
                ? Effect().persist(Deposited.ONE)
                : Effect().persist(Collections.nCopies(command.times(), Deposited.ONE));
        return persisted.thenReply(command.replyTo(), Account::balance);
    }

    @Override
    public EventHandler<Account, Deposited> eventHandler() {
        return newEventHandlerBuilder()
                .forAnyState()
                .onEvent(Deposited.class, Account::after)
                .build();
    }

    @Override
    public boolean shouldSnapshot(Account account, Deposited event, long sequenceNr) {
        return storage.isSnapshotDue(sequenceNr - 1, sequenceNr);
    }

    @Override
    public Set<String> tagsFor(Deposited event) {
        return storage.isProjected() ? Set.of(TAG) : Set.of();
    }
}
