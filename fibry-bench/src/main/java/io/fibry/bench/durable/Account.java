package io.fibry.bench.durable;

import io.fibry.codec.RecordCodec;

/** The state of an account. */
record Account(long balance) {

    static final Account EMPTY = new Account(0);
    static final RecordCodec<Account> STATES = RecordCodec.of(Account.class);
    static final RecordCodec<Deposited> EVENTS = RecordCodec.of(Deposited.class);

    /** An event. */
    record Deposited(long amount) {

        static final Deposited ONE = new Deposited(1);
    }

    Account after(Deposited deposited) {
        return new Account(balance + deposited.amount());
    }
}
