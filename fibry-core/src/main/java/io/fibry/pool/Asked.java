package io.fibry.pool;

import io.fibry.ReplyTo;

/**
 * A message that carries its {@code ReplyTo}, and that address, to which a failure is reported. Dead letters show the
 * message.
 */
record Asked(Object message, ReplyTo<?> replyTo) {

    /** The message of the user. */
    static Object unwrapped(Object message) {
        return message instanceof Asked asked ? asked.message : message;
    }

    @Override
    public String toString() {
        return message.toString();
    }
}
