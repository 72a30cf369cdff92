package io.fibry.test;

import io.fibry.dispatch.Control;
import io.fibry.dispatch.ControlledDispatcher;
import io.fibry.dispatch.Schedulable;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/** The strands of a run, numbered in the order in which they appear. Their names are the same in each run. */
final class Strands {

    private final Chooser chooser;
    private final IdentityHashMap<Schedulable, Strand> actors = new IdentityHashMap<>();
    private int made;

    Strands(Chooser chooser) {
        this.chooser = chooser;
    }

    Strand add(String name, Strand.@Nullable Work work) {
        var strand = new Strand(made++, name, work);
        chooser.appeared(strand);
        return strand;
    }

    Strand of(Schedulable actor, ControlledDispatcher dispatcher) {
        Strand known = actors.get(actor);
        if (known == null || known.fiber != null) { // its last turn may still call hooks when it gets the next one
            String name = known == null ? newName(actor) : known.name;
            known = add(name, fiber -> dispatcher.runTurn(actor, fiber));
            actors.put(actor, known);
        }
        return known;
    }

    /** An actor without a name has a number: the kernel would name it after its identity. */
    private String newName(Schedulable actor) {
        String name = actor.name();
        boolean isNamed = !name.equals("actor-" + Integer.toHexString(System.identityHashCode(actor)));
        return isNamed ? name : "actor " + (actors.size() + 1);
    }

    /** A text for what a strand waits for. */
    String describe(Object what) {
        if (!(what instanceof Control.Awaited awaited)) {
            return what.toString();
        }
        Strand known = actors.get(awaited.actor());
        return awaited.what() + " " + (known == null ? newName(awaited.actor()) : known.name);
    }
}
