package io.fibry.bench.hunt;

/** Code for {@code execute}, which counts as a message. */
record Code(Ledger ledger, Message message) implements Runnable {

    @Override
    public void run() {
        ledger.handled(message);
    }
}
