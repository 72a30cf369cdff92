package io.fibry;

/**
 * What becomes of an actor whose behavior throws. In every case the exception is reported once, to the asker if the
 * message was asked, else to the log with the actor's name, and no other actor is affected. Immutable.
 */
public final class Supervision {

    private static final Supervision RESUME = new Supervision("resume");
    private static final Supervision STOP = new Supervision("stop");

    private final String name;

    private Supervision(String name) {
        this.name = name;
    }

    /** The actor goes on with its next message and the state that it has. The default. */
    public static Supervision resume() {
        return RESUME;
    }

    /** The actor ends, and its {@link ActorExit} tells the cause. What it had still to handle becomes dead letters. */
    public static Supervision stop() {
        return STOP;
    }

    @Override
    public String toString() {
        return "Supervision." + name;
    }
}
