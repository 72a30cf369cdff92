package io.fibry.examples.bank;

import io.fibry.codec.RecordCodec;
import io.fibry.durable.DurableTopic;

/**
 * A statement of an account.
 *
 * @param number 1 for the first month
 * @param sent the number of transfers to other accounts since the account was opened
 * @param received the number of transfers from other accounts
 */
public record Statement(String owner, int number, long cents, long sent, long received) {

    /** The topic to which accounts publish their statements. */
    public static final DurableTopic<Statement> TOPIC = DurableTopic.of("statements", RecordCodec.of(Statement.class));

    /** Returns the statement as a line of text. */
    public String text() {
        return String.format(
                "Statement %d of %s: %s after %d transfers to others and %d from others",
                number, owner, Account.euros(cents), sent, received);
    }
}
