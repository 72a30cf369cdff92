package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.StopMode;
import io.fibry.testing.Await;

/** Waits for states of actors that the API does not show. */
public final class ActorStates {

    private ActorStates() {}

    /** Waits until the actor has been asked to stop at least in this mode, and a running turn has seen the request. */
    public static void awaitStopped(Actor<?> actor, StopMode mode) {
        ActorCell<?> cell = ActorCell.of(actor);
        Await.until(actor + " is stopped", () -> {
            StopMode now = cell.lifecycleMode();
            return now != null && now.compareTo(mode) >= 0;
        });
        cell.closing().lock(); // after the stopper, which sets the mode first
        try {
            assertTrue(cell.isClosed());
        } finally {
            cell.closing().unlock();
        }
    }

    /** Waits until the actor waits for the end of a pause. */
    public static void awaitPause(Actor<?> actor) {
        Await.until(
                actor + " pauses", () -> ActorCell.of(actor).lifecycle().pause().isPaused());
    }
}
