package io.fibry;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The actors that a system has to know, because they hold something while they are idle: a thread, a name, a hook, children, or a
 * timer. It contains only actors without a parent; a parent stops its children. An actor that holds nothing is garbage when
 * nothing refers to it.
 */
final class Registry {

    private final Set<ActorState<?>> roots = ConcurrentHashMap.newKeySet();

    /** The known actors. A view. */
    Set<ActorState<?>> roots() {
        return roots;
    }

    /** Adds an actor that is about to start, or registers it as a child of its parent. */
    void add(ActorState<?> actor) {
        ActorState<?> parent = actor.lifecycle().options.parent();
        if (parent != null) {
            adopt(parent, actor);
        } else if (holdsSomething(actor)) {
            roots.add(actor);
        }
    }

    /** Adds a child to its parent. A root is registered when it gets its first child. */
    private void adopt(ActorState<?> parent, ActorState<?> child) {
        Lifecycle l = parent.lifecycle();
        l.lock.lock(); // otherwise a parent might be added after it has refused children and been removed
        try {
            if (!l.children.add(child)) {
                throw parent.stopped();
            }
            know(parent);
        } finally {
            l.lock.unlock();
        }
    }

    /**
     * Removes a child. A parent that was registered only for its children is removed with the last. Returns true as {@link
     * Children#remove}.
     */
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

    /** Registers an actor, so that the close of the system stops it. */
    void know(ActorState<?> actor) {
        if (actor.lifecycle().options.parent() == null) {
            roots.add(actor);
        }
    }

    /** Removes an actor that does not hold anything any more. */
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
