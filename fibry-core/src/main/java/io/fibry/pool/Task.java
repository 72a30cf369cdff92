package io.fibry.pool;

import java.util.Comparator;

/** Code for {@link WorkerPool#execute}, which is handled as a message. */
record Task(Runnable code) {

    /** As for the mailboxes of other actors: code comes before messages, which alone have an order. */
    static Comparator<Object> before(Comparator<Object> order) {
        return (a, b) -> a instanceof Task || b instanceof Task
                ? Boolean.compare(b instanceof Task, a instanceof Task)
                : order.compare(Asked.unwrapped(a), Asked.unwrapped(b));
    }
}
