package io.fibry.bench.peers;

import java.util.ArrayDeque;

/**
 * No actors at all: the sender's thread calls the behavior, and counts the message in an object of its own, which is all that
 * stands for the actor. Whatever handles messages of that many things, one by one, touches at least as much memory. For one
 * thread.
 */
final class PlainObjects implements Peer {

    /** A tell from within a behavior waits until that has returned, or a ring would fill the stack. */
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();

    private boolean busy;

    private static final class Plain {
        private final Replier behavior;

        @SuppressWarnings("UnusedVariable") // to be written, as an actor is for each message
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
