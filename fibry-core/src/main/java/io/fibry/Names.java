package io.fibry;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The names of a system's living actors, and of the expected ones. Every change is one atomic step of the map. So a name has one
 * owner at a time, and its entry ends with the owner.
 */
final class Names {

    /** Each an {@link ActorCell} or an {@link ExpectedActor}. */
    private final Map<String, Actor<?>> owners = new ConcurrentHashMap<>();

    static String require(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException(
                    "an actor's name must not be blank; use anonymous() for an actor without one");
        }
        return name;
    }

    /**
     * Gives a free name to an actor. A name for which messages are stored is only promised to the actor, until {@link
     * ExpectedActor#hasCome}.
     *
     * @return the expected actor that stores messages for it, or null
     * @throws IllegalStateException if another actor has the name
     */
    @Nullable
    ExpectedActor<?> take(String name, ActorCell<?> actor) {
        Actor<?> owner = owners.putIfAbsent(name, actor);
        while (owner instanceof ExpectedActor<?> expected) {
            if (expected.promise()) {
                return expected;
            }
            if (owners.get(name) == owner) { // promised to another actor
                break;
            }
            owner = owners.putIfAbsent(name, actor);
        }
        if (owner != null) {
            throw new IllegalStateException(
                    "the name " + name + " is taken by a living actor; choose another, or stop that actor first");
        }
        return null;
    }

    void pass(String name, ExpectedActor<?> from, ActorCell<?> to) {
        owners.replace(name, from, to);
    }

    /** Frees the name if this actor still owns it. */
    void free(String name, Actor<?> owner) {
        owners.remove(name, owner);
    }

    @Nullable
    Actor<?> owner(String name) {
        return owners.get(name);
    }

    /** The owner of the name; if it is free, the expected actor becomes its owner. */
    Actor<?> ownerOr(String name, ExpectedActor<?> expected) {
        Actor<?> owner = owners.putIfAbsent(name, expected);
        return owner == null ? expected : owner;
    }

    /** The actors that are still expected. */
    List<Actor<?>> expected() {
        return owners.values().stream().filter(ExpectedActor.class::isInstance).toList();
    }

    boolean isEmpty() {
        return owners.isEmpty();
    }
}
