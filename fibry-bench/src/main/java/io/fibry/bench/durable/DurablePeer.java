package io.fibry.bench.durable;

/** The participating peers. */
public enum DurablePeer {
    /** This library, an event-sourced entity for each account. */
    FIBRY("Fibry") {
        @Override
        Accounts open(Storage storage) throws Exception {
            return FibryAccounts.open(storage);
        }
    },
    /** Pekko typed with pekko-persistence-jdbc, a persistent actor for each account. */
    PEKKO("Pekko Persistence JDBC") {
        @Override
        Accounts open(Storage storage) {
            return new PekkoAccounts(storage);
        }
    },
    /** The same rows without actors: a transaction for each call. */
    JDBC("plain JDBC") {
        @Override
        Accounts open(Storage storage) throws Exception {
            return JdbcAccounts.open(storage);
        }
    };

    private final String title;

    DurablePeer(String title) {
        this.title = title;
    }

    /** Returns the display name. */
    public String title() {
        return title;
    }

    /** Opens the accounts in an empty database. */
    abstract Accounts open(Storage storage) throws Exception;
}
