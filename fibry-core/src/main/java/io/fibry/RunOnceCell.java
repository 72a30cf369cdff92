package io.fibry;

/** An actor that runs one task, its only message, and then ends. */
final class RunOnceCell extends ActorCell<ThrowingRunnable> {

    RunOnceCell(ActorKind kind) {
        super(kind);
    }

    /** Accepts the task, and refuses messages from now on. Called before any other thread can see the actor. */
    void accept(ThrowingRunnable task) {
        acceptOnly(envelope(task, null));
    }

    /** The task may run for long, and a million of them at a time. So the actor gets a lifecycle only after it, to end. */
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

    /** The actor for its users, who cannot send it anything. */
    @SuppressWarnings("unchecked")
    Actor<Void> asActor() {
        return (Actor<Void>) (Actor<?>) this;
    }
}
