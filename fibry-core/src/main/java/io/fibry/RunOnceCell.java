package io.fibry;

/** An actor that runs one task, its only message, and then ends. */
final class RunOnceCell extends ActorCell<ThrowingRunnable> {

    RunOnceCell(ActorKind kind) {
        super(kind);
    }

    /** Accepts the task, and refuses messages from now on. Called before any other thread can see the actor. */
    void accept(ThrowingRunnable task, Lifecycle lifecycle) {
        setLifecycle(lifecycle);
        lifecycle.harden(StopMode.DRAIN);
        acceptOnly(new Envelope(task, null));
    }

    @Override
    void receive(ThrowingRunnable task) throws Exception {
        task.run();
    }

    /** The actor for its users, who cannot send it anything. */
    @SuppressWarnings("unchecked")
    Actor<Void> asActor() {
        return (Actor<Void>) (Actor<?>) this;
    }
}
