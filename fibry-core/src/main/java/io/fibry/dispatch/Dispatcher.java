package io.fibry.dispatch;

import org.jspecify.annotations.Nullable;

/** Brings ready actors and threads together: one for each strategy in a system. */
public abstract class Dispatcher {

    /**
     * Called once for an actor that holds something, before anybody else can see it.
     *
     * @return the runner that is this actor's own, if there is one; the actor keeps it
     */
    public @Nullable Runner prepare(Schedulable actor) {
        return null;
    }

    /** Called once for an actor that holds something, when its system and its parent know it. */
    public void start(Schedulable actor) {}

    /** Whether actors hold something from their creation on, so that the system has to know them. */
    public boolean holdsThreads() {
        return false;
    }

    /**
     * Has the actor's turn run soon. The caller holds the consumer's role and passes it on; it is called once for each time
     * that an actor becomes ready.
     */
    public abstract void ready(Schedulable actor);

    /** Whether {@link #ready} may run the actor on the calling thread, for as long as its handlers take. */
    public boolean mayRunOnCaller() {
        return false;
    }

    /** Whether a thread is at hand that takes what is made ready without being woken. A hint for those who wait. */
    public boolean takesAtOnce() {
        return false;
    }
}
