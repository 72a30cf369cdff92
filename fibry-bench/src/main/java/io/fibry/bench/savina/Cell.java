package io.fibry.bench.savina;

/** A peer's representation of an actor: one object, which also runs its code. */
public abstract class Cell {

    final World world;
    private final SavinaActor actor;
    private boolean stopped;

    @SuppressWarnings("this-escape") // the actor only stores it until the first message
    protected Cell(World world, SavinaActor actor) {
        this.world = world;
        this.actor = actor;
        actor.bind(this);
    }

    /** Handles a message; an error ends the run. */
    @SuppressWarnings("CatchingUnchecked") // every failure of an actor reaches the caller that waits for the result
    protected final void handle(Object message) {
        try {
            if (message == SavinaActor.STOP) {
                stop();
            } else if (!stopped) {
                actor.receive(message);
            }
        } catch (Throwable e) {
            world.fail(e);
        }
    }

    /** Returns whether the actor handles no further messages. */
    protected final boolean isStopped() {
        return stopped;
    }

    protected abstract Object self();

    protected abstract Object spawn(SavinaActor other);

    protected abstract void tell(Object to, Object message);

    protected void stop() {
        stopped = true;
    }

    protected abstract void stash(Object message);

    protected abstract void unstash(int count);
}
