package io.fibry.dispatch;

/** A published wait of a thread for an {@link AskStage}. */
public interface AskWait {

    /** The stage depends on another ask from now on. Called by the thread that has made it. */
    void changed();

    /** Withdraws the wait. Called by the waiting thread. */
    void end();
}
