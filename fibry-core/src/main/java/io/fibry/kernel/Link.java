package io.fibry.kernel;

import io.fibry.ActorExit;

/**
 * One direction of a link between two actors: when the first ends, the second is stopped or fails. Links of the same
 * actors in the same direction are equal, so the watchers of an actor contain at most one of them.
 */
record Link(ActorState<?> ending, ActorState<?> other) implements Watchers.Watcher {

    static void join(ActorState<?> one, ActorState<?> other) {
        if (one == other) {
            throw new IllegalArgumentException("an actor cannot be linked to itself");
        }
        if (one.hasEnded()) {
            return;
        }
        var link = new Link(one, other);
        one.lifecycle().watchers().add(link);
        other.lifecycle().watchers().add(link.back());
    }

    static void part(ActorState<?> one, ActorState<?> other) {
        var link = new Link(one, other);
        one.lifecycle().watchers().remove(link);
        other.lifecycle().watchers().remove(link.back());
    }

    @SuppressWarnings("ArgumentSelectionDefectChecker") // reversed intentionally
    private Link back() {
        return new Link(other, ending);
    }

    @Override
    public void ended(ActorExit exit) {
        other.lifecycle().watchers().remove(back());
        Throwable cause = exit.cause();
        if (cause != null) {
            other.fail(cause);
        } else {
            other.stop();
        }
    }
}
