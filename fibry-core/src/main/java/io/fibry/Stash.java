package io.fibry;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** Messages that a behavior has put aside. Changed by the actor's consumer, under the lock of the lifecycle. */
final class Stash {

    /** Without {@link ActorBuilder#stashLimit}. */
    static final int DEFAULT_LIMIT = 1_000;

    private final ActorState<?> actor;
    private final int limit;
    private final Deque<Envelope> aside = new ArrayDeque<>();

    Stash(ActorState<?> actor, int limit) {
        this.actor = actor;
        this.limit = limit;
    }

    /** Puts a message aside: a copy, since this one leads on to the messages that came after it. */
    void add(Envelope envelope) {
        if (aside.size() >= limit) {
            throw new MailboxFullException("actor " + actor.name() + " has put aside " + limit
                    + " messages, and may not put aside more; raise stashLimit(..), or call unstashAll() earlier");
        }
        locked(() -> aside.add(new Envelope(envelope.message, envelope.reply)));
    }

    /** Takes all messages out, and shows them, the youngest first. */
    void takeAll(Consumer<Envelope> youngestFirst) {
        var taken = new ArrayList<Envelope>(aside);
        for (Envelope e : taken.reversed()) {
            youngestFirst.accept(e);
        }
        locked(aside::clear);
    }

    /** Takes all messages out, the oldest first. */
    List<Envelope> takeAll() {
        var taken = new ArrayList<Envelope>(aside);
        locked(aside::clear);
        return taken;
    }

    /** Shows all messages. Under the lock. */
    void forEach(Consumer<Envelope> action) {
        aside.forEach(action);
    }

    private void locked(Runnable change) {
        actor.lifecycle().lock.lock();
        try {
            change.run();
        } finally {
            actor.lifecycle().lock.unlock();
        }
    }
}
