package io.fibry.kernel;

import io.fibry.ActorStoppedException;
import io.fibry.Supervision;
import io.fibry.SystemOptions;
import io.fibry.ThrowingConsumer;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.Dispatcher;
import io.fibry.dispatch.ScheduledActor;

/** A dispatcher that leaves every turn to the thread that made the actor ready. */
final class Roles extends Dispatcher {

    static final LocalSystem SYSTEM = new LocalSystem(SystemOptions.defaults());

    /** The actor whose consumer's role the thread holds. */
    private static final ThreadLocal<ActorCell<?>> MINE = new ThreadLocal<>();

    static {
        SYSTEM.onDeadLetter(letter -> {}); // no log lines
    }

    private Roles() {}

    static ActorKind kind() {
        return new ActorKind(SYSTEM, new Roles(), Supervision.resume());
    }

    static <M> ActorCell<M> actor(ThrowingConsumer<M> behavior) {
        return new ConsumerCell<>(kind(), behavior);
    }

    @Override
    public void ready(ScheduledActor actor) {
        MINE.set(ActorCell.behind(actor));
    }

    /** Runs turns, if the calling thread got the consumer's role from its last message or stop. */
    static void run() {
        ActorCell<?> actor = MINE.get();
        if (actor != null) {
            MINE.remove();
            var runner = new ActorThread(Thread.currentThread());
            boolean more;
            do {
                more = actor.runTurn(runner, null);
            } while (more);
        }
    }

    /** Sends a message. Returns false if the actor has been stopped. */
    static <M> boolean tell(ActorCell<M> actor, M message) {
        try {
            actor.tell(message);
            return true;
        } catch (ActorStoppedException refused) {
            return false;
        }
    }
}
