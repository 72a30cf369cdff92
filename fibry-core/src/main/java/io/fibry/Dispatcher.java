package io.fibry;

/** Brings ready actors and threads together: one for each strategy in a system. */
abstract class Dispatcher {

    /** Called once for an actor that holds something, before anybody else can see it. */
    void prepare(ActorCell<?> actor) {}

    /** Called once for an actor that holds something, when its system and its parent know it. */
    void start(ActorCell<?> actor) {}

    /** Whether actors hold something from their creation on, so that the system has to know them. */
    boolean holdsThreads() {
        return false;
    }

    /**
     * Has the actor's turn run soon. The caller holds the consumer's role and passes it on; it is called once for each time
     * that an actor becomes ready.
     */
    abstract void ready(ActorCell<?> actor);

    /** Whether {@link #ready} may run the actor on the calling thread, for as long as its handlers take. */
    boolean mayRunOnCaller() {
        return false;
    }

    /** Whether a thread is at hand that takes what is made ready without being woken. A hint for those who wait. */
    boolean takesAtOnce() {
        return false;
    }
}
