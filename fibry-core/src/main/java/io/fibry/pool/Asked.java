package io.fibry.pool;

import io.fibry.ReplyTo;

/** A message that carries the address for its reply, and that address, for a failure. In dead letters it looks like the message. */
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
