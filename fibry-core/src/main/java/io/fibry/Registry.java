package io.fibry;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The actors that a system has to know, because they hold something while they are idle: a thread, a name, a hook, children, a timer.
 * Only those without a parent are in here; the others are stopped by their parents. An actor that holds nothing is garbage when nobody
 * refers to it.
 */
final class Registry {

    private final Set<ActorState<?>> roots = ConcurrentHashMap.newKeySet();

    /** The known actors. A view. */
    Set<ActorState<?>> roots() {
        return roots;
    }

    /** Adds an actor that is about to start, or makes it its parent's child. */
    void add(ActorState<?> actor) {
        ActorState<?> parent = actor.lifecycle().options.parent();
        if (parent != null) {
            adopt(parent, actor);
        } else if (holdsSomething(actor)) {
            roots.add(actor);
        }
    }

    /** A root becomes known when it gets its first child. */
    private void adopt(ActorState<?> parent, ActorState<?> child) {
        Lifecycle l = parent.lifecycle();
        l.lock.lock(); // so that a parent is not added after it has refused children and been removed
        try {
            if (!l.children.add(child)) {
                throw parent.stopped();
            }
            know(parent);
        } finally {
            l.lock.unlock();
        }
    }

    /** A parent that was known for its children alone is forgotten with the last. True as {@link Children#remove}. */
    boolean removeChild(ActorState<?> parent, ActorState<?> child) {
        Lifecycle l = parent.lifecycle();
        l.lock.lock();
        try {
            boolean waiting = l.children.remove(child);
            forgetIfIdle(parent);
            return waiting;
        } finally {
            l.lock.unlock();
        }
    }

    /** Makes sure that the close of the system stops this actor. */
    void know(ActorState<?> actor) {
        if (actor.lifecycle().options.parent() == null) {
            roots.add(actor);
        }
    }

    /** Forgets an actor that holds nothing any more. */
    void forgetIfIdle(ActorState<?> actor) {
        Lifecycle l = actor.lifecycle();
        l.lock.lock();
        try {
            if (l.children.isEmpty() && !holdsSomething(actor)) {
                roots.remove(actor);
            }
        } finally {
            l.lock.unlock();
        }
    }

    private static boolean holdsSomething(ActorState<?> actor) {
        Lifecycle l = actor.lifecycle();
        return l.options.holdSomething()
                || l.pause.isPausedOrWanted()
                || actor.awaitsSomething()
                || actor.dispatcher().holdsThreads();
    }
}
