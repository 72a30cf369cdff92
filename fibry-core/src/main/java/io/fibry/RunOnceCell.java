package io.fibry;

/** An actor that runs one task, its only message, and then ends. */
final class RunOnceCell extends ActorCell<ThrowingRunnable> {

    RunOnceCell(ActorKind kind) {
        super(kind);
    }

    /** Before the actor can be seen by anybody else: takes the task, and from now on nothing more. */
    void accept(ThrowingRunnable task, ActorOptions options) {
        setOptions(options);
        lifecycle().harden(StopMode.DRAIN);
        acceptOnly(new Envelope(task, null));
    }

    @Override
    void receive(ThrowingRunnable task) throws Exception {
        task.run();
    }

    /** The actor for its users, who can send it nothing. */
    @SuppressWarnings("unchecked")
    Actor<Void> asActor() {
        return (Actor<Void>) (Actor<?>) this;
    }
}
