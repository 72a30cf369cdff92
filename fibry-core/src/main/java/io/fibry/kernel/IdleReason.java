package io.fibry.kernel;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reason why an actor handles no message, as seen by another thread. An actor that has passed its work on, such as
 * a worker pool, is idle while a descendant handles the message.
 *
 * @param text the reason, and the actor that most likely delays this one: a descendant, or the one whose reply a stage
 *     needs
 * @param stack the stack of that actor; empty if there is none
 * @param looked the number of descendants that were examined
 */
record IdleReason(String text, List<StackTraceElement> stack, int looked) {

    /** The maximum number of descendants to examine. */
    private static final int MOST = 1_000;

    static IdleReason of(ActorState<?> actor) {
        Lifecycle l = actor.lifecycleIfAny();
        Pause p = l == null ? null : l.pauseIfAny();
        String pause = p == null ? null : p.reason();
        String awaited = ActorSnapshot.waitsFor(actor);
        if (awaited != null) {
            return withDescendant("the actor waits for the end of " + awaited, actor);
        }
        if (pause != null) {
            return new IdleReason("the actor is paused: " + pause, List.of(), 0);
        }
        if (!actor.isIdle()) {
            return new IdleReason("the actor waits for a thread", List.of(), 0);
        }
        BoundedMailbox bounded = actor.boundedMailbox();
        if (bounded != null && bounded.holdIfAny() != null && bounded.size() > 0) {
            return withDescendant("the actor holds its messages until a child has handled one", actor);
        }
        IdleReason idle = withDescendant("the actor is idle", actor);
        return idle.stack.isEmpty() ? withStages(idle, actor.context()) : idle;
    }

    private static IdleReason withStages(IdleReason idle, @Nullable ContextState context) {
        int open = context == null ? 0 : context.openPipes();
        if (context == null || open == 0) {
            return idle;
        }
        String text = idle.text + "; stages of pipeToSelf that have not completed: " + open;
        ActorState<?> awaited = WaitGraph.awaited(context.latestPipe());
        if (awaited == null) {
            return new IdleReason(text, List.of(), idle.looked);
        }
        text += "; the latest one waits for a reply of " + awaited.name();
        WorkSnapshot work = awaited.progress();
        Envelope message = work.current();
        return message == null
                ? new IdleReason(text, List.of(), idle.looked)
                : new IdleReason(
                        text + ", which handles a " + message.message.getClass().getName(),
                        List.of(work.stack()),
                        idle.looked);
    }

    private static IdleReason withDescendant(String reason, ActorState<?> actor) {
        List<ActorState<?>> family = new ArrayList<>(List.of(actor));
        List<ActorState<?>> running = new ArrayList<>();
        for (int i = 0; i < family.size() && i <= MOST; i++) {
            ActorState<?> each = family.get(i);
            Lifecycle l = each.lifecycleIfAny();
            family.addAll(l == null ? List.of() : l.livingChildren());
            if (each.progress().current() != null) {
                running.add(each);
            }
        }
        int looked = family.size() - 1;
        Comparator<ActorState<?>> delays = Comparator.comparingInt(each -> suspicion(each, actor));
        if (running.isEmpty()) {
            return new IdleReason(reason, List.of(), looked);
        }
        ActorState<?> chosen = Collections.max(running, delays.thenComparing(ActorSnapshot::runningFor));
        WorkSnapshot work = chosen.progress();
        Envelope message = work.current();
        if (message == null) { // it has finished in the meantime
            return new IdleReason(reason, List.of(), looked);
        }
        String text = reason + "; " + chosen.name() + " handles a "
                + message.message.getClass().getName()
                + waits(WaitGraph.of(chosen))
                + (running.size() == 1 ? "" : "; other descendants that handle a message: " + (running.size() - 1));
        return new IdleReason(text, List.of(work.stack()), looked);
    }

    /** A descendant that waits for the actor comes first, then one that waits for any other, then a running one. */
    private static int suspicion(ActorState<?> descendant, ActorState<?> actor) {
        WaitGraph.Edge wait = WaitGraph.of(descendant);
        return wait == null ? 0 : wait.awaited() == actor ? 2 : 1;
    }

    private static String waits(WaitGraph.@Nullable Edge wait) {
        ActorState<?> awaited = wait == null ? null : wait.awaited();
        return wait == null || awaited == null ? "" : ", and waits for " + wait.kind.what + " " + awaited.name();
    }
}
