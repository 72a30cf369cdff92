package io.fibry.pool;

import java.util.Comparator;

/** Code for {@link WorkerPool#execute}, handled as a message. */
record Task(Runnable code) {

    /** As in every mailbox, code precedes messages; the order applies to messages only. */
    static Comparator<Object> before(Comparator<Object> order) {
        return (a, b) -> a instanceof Task || b instanceof Task
                ? Boolean.compare(b instanceof Task, a instanceof Task)
                : order.compare(Asked.unwrapped(a), Asked.unwrapped(b));
    }
}
