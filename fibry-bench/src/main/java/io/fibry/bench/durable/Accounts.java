package io.fibry.bench.durable;

/** The accounts of a peer. All methods are safe for use by any thread, and block. */
interface Accounts extends AutoCloseable {

    /** The keys of the accounts start with this text. */
    String KEY = "account-";

    /** The timeout of all calls, in seconds. */
    int PATIENCE = 30;

    /**
     * Deposits an amount of 1 several times, stores an event for each of them in one transaction, and returns the
     * balance.
     */
    long deposit(String key, int times) throws Exception;

    /** Returns the balance. Reads the account from the database if it is not in memory. */
    long balance(String key) throws Exception;

    /** Removes all accounts from memory. */
    void forget() throws Exception;

    /** Returns the number of stored events of all accounts. */
    long events() throws Exception;

    /** Starts a projection of all stored events. */
    Projection.Running project(Projection projection) throws Exception;

    @Override
    void close();
}
