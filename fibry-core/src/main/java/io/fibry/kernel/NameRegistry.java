package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.dispatch.LogText;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The names of a system's living and expected actors. Every change is one atomic operation of the map: a name has one
 * owner at a time, and its entry is removed with the owner.
 *
 * <p><b>A name is reserved before its actor starts, and resolved only after it.</b> {@link #reserve} makes the name
 * unique, {@link #publish} makes the actor visible, and {@link #release} frees the name of an actor that cannot start.
 * Between the two steps, an {@link PlaceholderActor} may queue messages for the name: one that existed before the
 * reservation, or one that replaces it in {@link #ownerOr}. In both cases the expected actor is reserved for the actor
 * that starts, and no other thread removes it from the map.
 */
final class NameRegistry {

    /**
     * A placeholder for an actor that is about to start. Removed only by the thread that reserved the name, or by
     * {@link #ownerOr}.
     */
    private static final Object RESERVED = new Object();

    /** Each an {@link ActorCell}, an {@link PlaceholderActor}, or {@link #RESERVED}. */
    private final Map<String, Object> owners = new ConcurrentHashMap<>();

    static String require(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException(
                    "an actor's name must not be blank; use anonymous() for an actor without one");
        }
        return name;
    }

    /**
     * Reserves a free name. Until {@link #publish} or {@link #release}, no other actor can take it, and a search does
     * not find its actor.
     *
     * @throws IllegalStateException if another actor has the name, or is about to take it
     */
    void reserve(String name) {
        Object owner = owners.putIfAbsent(name, RESERVED);
        while (owner instanceof PlaceholderActor<?> expected) {
            if (expected.reserve()) {
                return;
            }
            if (owners.get(name) == owner) { // reserved for another actor
                break;
            }
            owner = owners.putIfAbsent(name, RESERVED);
        }
        if (owner != null) {
            throw new IllegalStateException("the name " + LogText.plain(name)
                    + " is taken by a living actor; choose another, or stop that actor first");
        }
    }

    /**
     * Makes a started actor visible by the name that was reserved for it.
     *
     * <p>The system or its parent may have ended the actor in the meantime. If its {@link #free} comes after this step,
     * it frees the name. If it came before, the actor was {@linkplain Lifecycle#isLeaving leaving} even earlier, which
     * is seen here.
     */
    void publish(String name, ActorCell<?> actor) {
        if (!pass(name, RESERVED, actor)) {
            reserved(name).bind(actor, this);
        }
    }

    /** Frees a name that was reserved for an actor that could not start. */
    void release(String name) {
        if (!owners.remove(name, RESERVED)) {
            reserved(name).cancelReservation();
        }
    }

    /** The expected actor that queues messages for the actor that has reserved the name. */
    private PlaceholderActor<?> reserved(String name) {
        return (PlaceholderActor<?>) Objects.requireNonNull(owners.get(name));
    }

    /** The second step of {@link #publish}. Returns false if the name has another owner. */
    boolean pass(String name, Object from, ActorCell<?> to) {
        boolean passed = owners.replace(name, from, to);
        if (passed && to.lifecycle().isLeaving()) {
            free(name, to);
        }
        return passed;
    }

    /** Frees the name if this actor still owns it. */
    void free(String name, Actor<?> owner) {
        owners.remove(name, owner);
    }

    /** The living or expected actor with this name; null if there is none, or if it is about to start. */
    @Nullable
    Actor<?> owner(String name) {
        return owners.get(name) instanceof Actor<?> owner ? owner : null;
    }

    /**
     * Returns the owner of the name. If it has none, the expected actor becomes its owner; if the name is reserved, the
     * expected actor queues messages for the actor that is about to start.
     */
    Actor<?> ownerOr(String name, PlaceholderActor<?> expected) {
        while (true) {
            Object owner = owners.putIfAbsent(name, expected);
            if (owner == null) {
                return expected;
            }
            if (owner instanceof Actor<?> actor) {
                return actor;
            }
            expected.reserve(); // before it is published
            if (owners.replace(name, RESERVED, expected)) {
                return expected;
            }
            expected.cancelReservation();
        }
    }

    /** The actors that are still expected. */
    List<Actor<?>> placeholders() {
        return owners.values().stream()
                .filter(PlaceholderActor.class::isInstance)
                .<Actor<?>>map(owner -> (PlaceholderActor<?>) owner)
                .toList();
    }

    boolean isEmpty() {
        return owners.isEmpty();
    }
}
