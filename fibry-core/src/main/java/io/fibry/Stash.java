package io.fibry;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** The messages that a behavior has stashed. Changed by the consumer, under the lock of the lifecycle. */
final class Stash {

    /** The limit without {@link ActorBuilder#stashLimit}. */
    static final int DEFAULT_LIMIT = 1_000;

    private final ActorState<?> actor;
    private final int limit;
    private final Deque<Envelope> aside = new ArrayDeque<>();

    Stash(ActorState<?> actor, int limit) {
        this.actor = actor;
        this.limit = limit;
    }

    /** Stashes a message. It adds a copy, since the envelope links to the messages after it. */
    void add(Envelope envelope) {
        if (aside.size() >= limit) {
            throw new MailboxFullException("actor " + actor.name() + " has stashed " + limit
                    + " messages, which is its limit; raise stashLimit(..), or call unstashAll() earlier");
        }
        locked(() -> aside.add(new Envelope(envelope.message, envelope.reply)));
    }

    /** Removes all messages and passes them to the action, the youngest first. */
    void takeAll(Consumer<Envelope> youngestFirst) {
        var taken = new ArrayList<Envelope>(aside);
        for (Envelope e : taken.reversed()) {
            youngestFirst.accept(e);
        }
        locked(aside::clear);
    }

    /** Removes all messages and returns them, the oldest first. */
    List<Envelope> takeAll() {
        var taken = new ArrayList<Envelope>(aside);
        locked(aside::clear);
        return taken;
    }

    /** Passes all messages to the action. Called under the lock. */
    void forEach(Consumer<Envelope> action) {
        aside.forEach(action);
    }

    private void locked(Runnable change) {
        actor.lifecycle().lock();
        try {
            change.run();
        } finally {
            actor.lifecycle().unlock();
        }
    }
}
