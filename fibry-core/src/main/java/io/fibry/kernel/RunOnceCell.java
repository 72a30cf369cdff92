package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.ThrowingRunnable;

/** An actor that runs one task, its only message, and then ends. */
final class RunOnceCell extends ActorCell<ThrowingRunnable> {

    RunOnceCell(ActorKind kind) {
        super(kind);
    }

    /** Accepts the task, and closes the mailbox. Called before the actor is published. */
    void accept(ThrowingRunnable task) {
        acceptOnly(envelope(task, null));
    }

    /** Creates the lifecycle only after the task, to save memory: a million tasks may be running for a long time. */
    @Override
    void receive(ThrowingRunnable task) throws Exception {
        try {
            task.run();
        } finally {
            lifecycle().stopAfterTask();
        }
    }

    @Override
    Class<?> behaviorType() {
        Envelope task = inHand(); // null after the task
        return task == null ? ThrowingRunnable.class : task.message.getClass();
    }

    /** The actor as seen by users, who cannot send it messages. */
    @SuppressWarnings("unchecked")
    Actor<Void> asActor() {
        return (Actor<Void>) (Actor<?>) this;
    }
}
