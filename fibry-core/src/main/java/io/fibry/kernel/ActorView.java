package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.ActorInfo;
import io.fibry.ActorSystem;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A living actor, as the list of the live page reads it. Unlike {@link ActorInfo}, which has all values and a stack,
 * each method reads one value when it is called: a pass over a million actors reads only the values that it compares.
 * Any thread may call the methods; while the actor runs, the values are hints. A view keeps its actor alive, so the
 * caller drops it after the pass.
 */
public final class ActorView {

    private final ActorState<?> actor;

    private ActorView(ActorState<?> actor) {
        this.actor = actor;
    }

    /** Passes a view of each known living actor to the action: the same actors as {@link ActorSystem#actors}. */
    public static void forEach(ActorSystem system, Consumer<? super ActorView> action) {
        ((InspectedSystem) system).inspection().forEach(actor -> action.accept(new ActorView(actor)));
    }

    /** Returns a view of the actor of a measured message; null if it is none of this library, as in a test. */
    public static @Nullable ActorView of(Actor<?> actor) {
        return actor instanceof ActorState<?> state ? new ActorView(state) : null;
    }

    /** Passes one message in {@code oneIn} of the system to the tap, until the result is closed. */
    public static AutoCloseable tap(ActorSystem system, MessageTap tap, int oneIn) {
        return ((InspectedSystem) system).tap(tap, oneIn);
    }

    /** Passes all messages of this actor to the tap, until the result is closed. */
    public AutoCloseable tap(ActorSystem system, MessageTap tap) {
        return ((InspectedSystem) system).tap(tap, actor);
    }

    /** Identifies the actor: {@link ActorInfo#id} is this number in hexadecimal digits. */
    public int id() {
        return System.identityHashCode(actor);
    }

    public String name() {
        return actor.name();
    }

    /** Whether the name was given to the actor, as a name or a label. Else it is generated from the id. */
    public boolean isNamed() {
        Lifecycle l = actor.lifecycleIfAny();
        return l != null && l.nameOrLabel() != null;
    }

    /** Whether the actor has this name. Creates no name for an actor without one. */
    public boolean isCalled(String name) {
        Lifecycle l = actor.lifecycleIfAny();
        String given = l == null ? null : l.nameOrLabel();
        return given == null ? name.startsWith("actor-") && actor.name().equals(name) : given.equals(name);
    }

    /** Whether the actor is a child of the actor with this id. */
    public boolean isChildOf(int id) {
        Lifecycle l = actor.lifecycleIfAny();
        ActorState<?> parent = l == null ? null : l.parent();
        return parent != null && System.identityHashCode(parent) == id;
    }

    /** Whether the actor is a child of an actor of this name. */
    public boolean isChildOf(String name) {
        Lifecycle l = actor.lifecycleIfAny();
        ActorState<?> parent = l == null ? null : l.parent();
        return parent != null && parent.name().equals(name);
    }

    public boolean hasParent() {
        Lifecycle l = actor.lifecycleIfAny();
        return l != null && l.parent() != null;
    }

    public Class<?> behaviorType() {
        return actor.behaviorType();
    }

    /** Returns the name of a class as {@link ActorInfo#behavior} has it. */
    public static String behavior(Class<?> type) {
        return ActorSnapshot.nameOf(type);
    }

    public ActorInfo.State state() {
        return ActorSnapshot.state(actor);
    }

    /** As {@link ActorInfo#waitsFor}. */
    public @Nullable String waitsFor() {
        return ActorSnapshot.waitsFor(actor);
    }

    /** The type of the message being handled; null if there is none. */
    public @Nullable String message() {
        Envelope current = actor.progress().current();
        return current == null ? null : ActorSnapshot.nameOf(current.message.getClass());
    }

    /** Takes time proportional to the number of messages. */
    public long mailboxSize() {
        return actor.progress().waiting();
    }

    public long handled() {
        return ActorSnapshot.handled(actor).total();
    }

    public long failures() {
        return ActorSnapshot.failures(actor);
    }

    public long restarts() {
        return ActorSnapshot.restarts(actor);
    }

    /** The number of stashed messages. Takes time proportional to it, under the lock that guards them. */
    public long stashed() {
        Lifecycle l = actor.lifecycleIfAny();
        if (l == null) { // an actor with a stashed message has been registered, and has one
            return 0;
        }
        long[] count = new long[1];
        l.lock();
        try {
            actor.forEachStashed(envelope -> count[0]++);
        } finally {
            l.unlock();
        }
        return count[0];
    }

    /**
     * The scheduled timers; none if the actor has no context, or has ended. The list of timers is in the order of their
     * start, and of any length. So this method reads only the receive timeout and the timers that were started first,
     * {@value TimersSnapshot#MOST_READ} in all: time proportional to that number, under the lock that guards them. If
     * there are more timers, the one that is due next may not be among them.
     */
    public TimersSnapshot timers() {
        ContextState context = actor.context();
        return context == null ? TimersSnapshot.NONE : context.timersSnapshot();
    }

    /** For how many milliseconds the current turn has been running; -1 if the actor is not running. */
    public long runningMillis() {
        return ActorSnapshot.runningMillis(actor);
    }
}
