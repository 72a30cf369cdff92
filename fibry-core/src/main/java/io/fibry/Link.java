package io.fibry;

import java.util.ArrayList;

/** One direction of a link between two actors: when the one ends, the other is stopped or fails. */
final class Link implements Watchers.Watcher {

    private final ActorState<?> other;
    private final Link back;

    private Link(ActorState<?> one, ActorState<?> other) {
        this.other = other;
        back = new Link(one, this);
    }

    private Link(ActorState<?> other, Link back) {
        this.other = other;
        this.back = back;
    }

    static void join(ActorState<?> one, ActorState<?> other) {
        if (one == other) {
            throw new IllegalArgumentException("an actor cannot be linked to itself");
        }
        if (one.hasEnded()) {
            return;
        }
        var link = new Link(one, other);
        one.lifecycle().watchers().add(link);
        other.lifecycle().watchers().add(link.back);
    }

    static void part(ActorState<?> one, ActorState<?> other) {
        var backs = new ArrayList<Link>(); // avoids a search among the other actor's watchers, which may be many
        one.lifecycle().watchers().removeIf(w -> w instanceof Link link && link.other == other && backs.add(link.back));
        backs.forEach(other.lifecycle().watchers()::remove);
    }

    @Override
    public void ended(ActorExit exit) {
        other.lifecycle().watchers().remove(back);
        Throwable cause = exit.cause();
        if (cause != null) {
            other.fail(cause);
        } else {
            other.stop();
        }
    }
}
