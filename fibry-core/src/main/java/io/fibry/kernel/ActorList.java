package io.fibry.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A list of actors in insertion order, linked through their lifecycles. An entry takes no memory, and is removed in
 * constant time. An actor is in at most one list: a child in its parent's, any other in the registry's.
 *
 * <p>The list is circular: the only element links to itself. All access is under the lock of the list's owner, which
 * also guards the links of all actors that may be in this list.
 */
final class ActorList {

    /** A constant, so that it is linked at initialization: the JVM does not retry a linkage that ran out of memory. */
    static final Predicate<ActorState<?>> ANY = ActorList::isAny;

    private @Nullable ActorState<?> first;

    boolean isEmpty() {
        return first == null;
    }

    /** Whether an actor is in this list. The actor must not be in another list. */
    static boolean contains(ActorState<?> actor) {
        return actor.lifecycle().next != null;
    }

    /** Appends an actor, unless it is in the list. */
    void add(ActorState<?> actor) {
        if (contains(actor)) {
            return;
        }
        ActorState<?> f = first;
        if (f == null) {
            first = actor;
            join(actor, actor);
        } else {
            join(previous(f), actor);
            join(actor, f);
        }
    }

    /** Removes an actor if it is in the list. */
    void remove(ActorState<?> actor) {
        ActorState<?> next = actor.lifecycle().next;
        if (next == null) {
            return;
        }
        if (next == actor) {
            first = null;
        } else {
            join(previous(actor), next);
            first = first == actor ? next : first;
        }
        actor.lifecycle().next = null;
        actor.lifecycle().previous = null;
    }

    /** The actor before this one, which is in the list; null if it is the first. */
    @Nullable
    ActorState<?> before(ActorState<?> actor) {
        return actor == first ? null : previous(actor);
    }

    /** The last actor; null if there is none. */
    @Nullable
    ActorState<?> last() {
        ActorState<?> f = first;
        return f == null ? null : previous(f);
    }

    /** Adds the matching actors to the given list. */
    void collect(Predicate<? super ActorState<?>> wanted, List<ActorState<?>> into) {
        ActorState<?> a = first;
        while (a != null) {
            if (wanted.test(a)) {
                into.add(a);
            }
            a = a.lifecycle().next;
            a = a == first ? null : a;
        }
    }

    List<ActorState<?>> all() {
        var all = new ArrayList<ActorState<?>>();
        collect(ANY, all);
        return all;
    }

    private static boolean isAny(ActorState<?> actor) {
        return true;
    }

    private static void join(ActorState<?> one, ActorState<?> next) {
        one.lifecycle().next = next;
        next.lifecycle().previous = one;
    }

    @SuppressWarnings("NullAway") // an actor in the list has both links
    private static ActorState<?> previous(ActorState<?> actor) {
        return actor.lifecycle().previous;
    }
}
