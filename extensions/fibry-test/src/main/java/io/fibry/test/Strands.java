package io.fibry.test;

import io.fibry.dispatch.Control;
import io.fibry.dispatch.ControlledDispatcher;
import io.fibry.dispatch.ScheduledActor;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/** The strands of a run, numbered in the order of their creation. Their names are the same in each run. */
final class Strands {

    private final Chooser chooser;
    private final IdentityHashMap<ScheduledActor, Strand> actors = new IdentityHashMap<>();
    private int made;

    Strands(Chooser chooser) {
        this.chooser = chooser;
    }

    Strand add(String name, Strand.@Nullable Work work) {
        var strand = new Strand(made++, name, work);
        chooser.appeared(strand);
        return strand;
    }

    Strand of(ScheduledActor actor, ControlledDispatcher dispatcher) {
        Strand known = actors.get(actor);
        if (known == null || known.fiber != null) { // its last turn may still call hooks when the next one begins
            String name = known == null ? newName(actor) : known.name;
            known = add(name, fiber -> dispatcher.runTurn(actor, fiber));
            actors.put(actor, known);
        }
        return known;
    }

    /**
     * Returns the name of an actor. An actor without a name gets a number, because the name given by the kernel
     * contains its identity.
     */
    private String newName(ScheduledActor actor) {
        String name = actor.name();
        boolean isNamed = !name.equals("actor-" + Integer.toHexString(System.identityHashCode(actor)));
        return isNamed ? name : "actor " + (actors.size() + 1);
    }

    /** Returns a description of the target of a wait. */
    String describe(Object what) {
        if (!(what instanceof Control.Awaited awaited)) {
            return what.toString();
        }
        return awaited.what() + " " + name(awaited.actor());
    }

    /** The name of an actor in the trace. */
    String name(ScheduledActor actor) {
        Strand known = actors.get(actor);
        return known == null ? newName(actor) : known.name;
    }
}
