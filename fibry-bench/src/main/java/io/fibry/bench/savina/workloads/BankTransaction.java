package io.fibry.bench.savina.workloads;

import io.fibry.bench.savina.SavinaActor;
import io.fibry.bench.savina.Workload;
import java.util.SplittableRandom;

/**
 * Bank transaction: a teller orders transfers between 1,000 accounts, from lower to higher numbers. The paying account
 * notifies the teller when the other account has confirmed. In the stash style, it stashes all messages until then.
 */
public record BankTransaction(int transfers, boolean stashing) implements Workload {

    private static final int ACCOUNTS = 1_000;
    private static final long BALANCE = 1_000_000;

    private record Transfer(int from, int to, long amount) {}

    private record Debit(Object target, long amount, Object teller) {}

    private record Credit(Object source, long amount) {}

    private record GetBalance(Object from) {}

    private record Balance(int account, long amount) {}

    private static final Object CONFIRMED = new Object();
    private static final Object DONE = new Object();

    private static Transfer draw(SplittableRandom random) {
        int from = random.nextInt(ACCOUNTS / 10 * 8);
        int to = from + 1 + random.nextInt(ACCOUNTS - from - 1);
        return new Transfer(from, to, random.nextInt(1, 1_000));
    }

    private static long digest(long[] balances) {
        long digest = 0;
        for (long balance : balances) {
            digest = digest * 31 + balance;
        }
        return digest;
    }

    @Override
    public Object expected() {
        var balances = new long[ACCOUNTS];
        java.util.Arrays.fill(balances, BALANCE);
        var random = new SplittableRandom(1);
        for (int i = 0; i < transfers; i++) {
            Transfer transfer = draw(random);
            balances[transfer.from()] -= transfer.amount();
            balances[transfer.to()] += transfer.amount();
        }
        return digest(balances);
    }

    @Override
    public SavinaActor main() {
        return new Teller(transfers, stashing);
    }

    private static final class Teller extends SavinaActor {
        private final int transfers;
        private final boolean stashing;
        private final Object[] accounts = new Object[ACCOUNTS];
        private final long[] balances = new long[ACCOUNTS];
        private int done;
        private int known;

        Teller(int transfers, boolean stashing) {
            this.transfers = transfers;
            this.stashing = stashing;
        }

        @Override
        protected void receive(Object message) {
            if (message == START) {
                begin();
            } else if (message == DONE) {
                if (++done == transfers) {
                    var get = new GetBalance(self());
                    for (Object account : accounts) {
                        tell(account, get);
                    }
                }
            } else {
                var balance = (Balance) message;
                balances[balance.account()] = balance.amount();
                if (++known == ACCOUNTS) {
                    finish(digest(balances));
                    stop();
                }
            }
        }

        private void begin() {
            for (int i = 0; i < ACCOUNTS; i++) {
                accounts[i] = spawn(new Account(i, stashing));
            }
            var random = new SplittableRandom(1);
            for (int i = 0; i < transfers; i++) {
                Transfer transfer = draw(random);
                tell(accounts[transfer.from()], new Debit(accounts[transfer.to()], transfer.amount(), self()));
            }
        }
    }

    private static final class Account extends SavinaActor {
        private final int number;
        private final boolean stashing;
        private long balance = BALANCE;
        private boolean waits;
        private Object teller = STOP;

        Account(int number, boolean stashing) {
            this.number = number;
            this.stashing = stashing;
        }

        @Override
        protected boolean stashes() {
            return stashing;
        }

        @Override
        protected void receive(Object message) {
            if (message == CONFIRMED) {
                tell(teller, DONE);
                waits = false;
                unstashNext();
            } else if (waits) {
                stash(message);
            } else if (message instanceof Debit debit) {
                balance -= debit.amount();
                teller = debit.teller();
                waits = stashing;
                tell(debit.target(), new Credit(self(), debit.amount()));
            } else if (message instanceof Credit credit) {
                balance += credit.amount();
                tell(credit.source(), CONFIRMED);
                unstashNext();
            } else {
                tell(((GetBalance) message).from(), new Balance(number, balance));
                stop();
            }
        }

        /**
         * Handles the next queued request: a debit makes this account wait again; a credit is followed by the next one.
         */
        private void unstashNext() {
            if (stashing) {
                unstash(1);
            }
        }
    }
}
