package io.fibry;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** Says where actors stand that do not end, though they have been interrupted: nobody can do more about them. */
final class StuckReport {

    /** How many are told of; with many of them, the first ones tell enough. */
    private static final int LIMIT = 10;

    /** So many frames of a stack go into a line. */
    private static final int FRAMES = 20;

    private StuckReport() {}

    /** Reports the actor, or those for whose end it waits. */
    static void report(ActorState<?> actor) {
        List<ActorState<?>> family = new ArrayList<>(List.of(actor));
        for (int i = 0; i < family.size(); i++) {
            family.addAll(family.get(i).lifecycle().children.all());
        }
        if (!report(family)) {
            Reports.stuck(actor, "no thread is at work in it");
        }
    }

    /** Reports those of the actors at which a thread is at work; false if there are none. */
    static boolean report(Collection<? extends ActorState<?>> actors) {
        int told = 0;
        for (ActorState<?> actor : actors) {
            StackTraceElement[] stack = actor.stack();
            if (stack.length > 0) {
                Reports.stuck(actor, "it stands at " + top(stack));
                if (++told == LIMIT) {
                    break;
                }
            }
        }
        return told > 0;
    }

    /** The frames of the program, and not those by which the library has called it. */
    private static String top(StackTraceElement[] stack) {
        return Arrays.stream(stack)
                .takeWhile(frame -> !frame.getClassName().equals(ActorCell.class.getName()))
                .limit(FRAMES)
                .map(StackTraceElement::toString)
                .collect(Collectors.joining(", called at "));
    }
}
