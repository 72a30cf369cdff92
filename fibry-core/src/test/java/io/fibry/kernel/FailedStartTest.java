package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.testing.Await;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A close that has seen an actor whose start then fails.
 *
 * <p>Seen to fail: an abandoned start that does not wake the close.
 */
@Timeout(60)
class FailedStartTest {

    /** The test fails before this time is over. */
    private static final Duration AMPLE = Duration.ofDays(1);

    /** The actor is registered after the first close, as if the close had overtaken its start. */
    @Test
    void itWakesASecondClose() {
        var system = (LocalSystem) ActorSystem.create();
        ActorCell<?> actor = ActorCell.of(system.actor().onStop(exit -> {}).newActor(message -> {}));
        system.registry().remove(actor);
        assertTrue(system.close(AMPLE));
        system.registry().add(actor);
        var closed = new CompletableFuture<Boolean>();
        Thread closer = Thread.ofPlatform().start(() -> closed.complete(system.close(AMPLE)));
        Await.untilBlocked(closer);
        LastTurn.abandon(actor);
        assertTrue(Await.value(closed));
    }
}
