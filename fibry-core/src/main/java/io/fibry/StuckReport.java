package io.fibry;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Says where actors stand that do not end, though they have been interrupted: nobody can do more about them. */
final class StuckReport {

    /** How many are told of; with many of them, the first ones tell enough. */
    private static final int LIMIT = 10;

    private StuckReport() {}

    /** Reports the actor, or those for whose end it waits. */
    static void report(ActorCell<?> actor) {
        List<ActorCell<?>> family = new ArrayList<>(List.of(actor));
        for (int i = 0; i < family.size(); i++) {
            family.addAll(family.get(i).lifecycle().children.all());
        }
        if (!report(family)) {
            Reports.stuck(actor, new StackTraceElement[0]);
        }
    }

    /** Reports those of the actors at which a thread is at work; false if there are none. */
    static boolean report(Collection<ActorCell<?>> actors) {
        int told = 0;
        for (ActorCell<?> actor : actors) {
            StackTraceElement[] stack = actor.stack();
            if (stack.length > 0) {
                Reports.stuck(actor, stack);
                if (++told == LIMIT) {
                    break;
                }
            }
        }
        return told > 0;
    }
}
