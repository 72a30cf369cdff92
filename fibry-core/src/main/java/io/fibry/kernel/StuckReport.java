package io.fibry.kernel;

import io.fibry.ActorContext;
import java.util.Arrays;
import java.util.Collection;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Logs the stacks and waits of actors that do not end although they were interrupted. */
final class StuckReport {

    /** The maximum number of actors in one report. */
    private static final int LIMIT = 10;

    /** The maximum number of frames in a line. */
    private static final int FRAMES = 20;

    private StuckReport() {}

    /** Reports the actor and its descendants, whose end it awaits. */
    static void report(ActorState<?> actor) {
        if (!report(actor.family())) {
            KernelLog.stuck(actor, "no thread is running it");
        }
    }

    /**
     * Reports the living actors that wait for stages of {@link ActorContext#pipeToSelf}, which a stop is about to give
     * up. Returns whether there are any.
     */
    static boolean reportStages(Collection<? extends ActorState<?>> actors) {
        int reported = 0;
        for (ActorState<?> actor : actors) {
            CellContext<?, ?> context = ActorCell.behind(actor).context();
            int open = context == null || actor.hasEnded() ? 0 : context.openPipes();
            if (open > 0 && reported++ < LIMIT) {
                KernelLog.openStages(actor, open);
            }
        }
        return reported > 0;
    }

    /** Reports the actors whose handlers are running or suspended. Returns false if there are none. */
    static boolean report(Collection<? extends ActorState<?>> actors) {
        int reported = 0;
        for (ActorState<?> actor : actors) {
            String where = where(actor);
            if (where != null) {
                KernelLog.stuck(actor, where);
                if (++reported == LIMIT) {
                    break;
                }
            }
        }
        return reported > 0;
    }

    private static @Nullable String where(ActorState<?> actor) {
        StackTraceElement[] stack = actor.stack();
        SuspendedMessage suspended = stack.length > 0 ? null : SuspendedMessage.of(actor);
        return suspended != null ? suspended.reason() : stack.length > 0 ? "its handler is at " + top(stack) : null;
    }

    /** The frames of the program, without the frames of the library below them. */
    private static String top(StackTraceElement[] stack) {
        return Arrays.stream(stack)
                .takeWhile(frame -> !frame.getClassName().equals(ActorCell.class.getName()))
                .limit(FRAMES)
                .map(StackTraceElement::toString)
                .collect(Collectors.joining(", called from "));
    }
}
