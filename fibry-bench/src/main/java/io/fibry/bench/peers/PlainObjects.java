package io.fibry.bench.peers;

import java.util.ArrayDeque;

/**
 * No actors: the sender's thread calls the behavior, and counts the message in an object that represents the actor. Any
 * system that handles messages of the same number of entities accesses at least this amount of memory. Not thread-safe.
 */
final class PlainObjects implements Peer {

    /** Defers a tell inside a behavior until the behavior has returned; otherwise a ring would overflow the stack. */
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();

    private boolean busy;

    private static final class Plain {
        private final Replier behavior;

        @SuppressWarnings("UnusedVariable") // written for each message, like an actor
        private long handled;

        Plain(Replier behavior) {
            this.behavior = behavior;
        }

        Object handle(Object message) {
            handled++;
            return behavior.apply(message);
        }
    }

    @Override
    public Object actor(Receiver behavior) {
        return new Plain(message -> {
            behavior.accept(message);
            return message;
        });
    }

    @Override
    public Object replyActor(Replier behavior) {
        return new Plain(behavior);
    }

    @Override
    public void tell(Object actor, Object message) {
        if (busy) {
            waiting.add(() -> ((Plain) actor).handle(message));
            return;
        }
        busy = true;
        ((Plain) actor).handle(message);
        for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
            next.run();
        }
        busy = false;
    }

    @Override
    public Object ask(Object replyActor, Object message) {
        return ((Plain) replyActor).handle(message);
    }

    @Override
    public void stop(Object actor) {
        // it holds nothing
    }

    @Override
    public void close() {
        // likewise
    }
}
