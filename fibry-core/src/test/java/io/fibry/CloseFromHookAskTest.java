package io.fibry;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.UninterruptibleGate;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/**
 * A close while a stop hook waits.
 *
 * <p>Seen to fail: a closing thread that runs the turns of an actor whose executor runs tasks on the calling thread; a
 * close that looks only for the actors that were registered before the hook began.
 */
@Timeout(60)
class CloseFromHookAskTest {

    /** The test fails before a part of this time is over. */
    private static final Duration DAY = Duration.ofDays(1);

    private final ActorSystem system = ActorSystem.create();

    @AfterEach
    void close() {
        system.close();
    }

    /** The other actor holds nothing when the close begins, so the system learns of it only by the ask. */
    @AllStrategies(direct = true)
    void theAskOfAHookEnds(ThreadStrategy strategy) {
        ReplyActor<Integer, Integer> silent = system.actor().newActorWithReturnFrom(context -> message -> {
            var unused = context.deferReply();
            return 0;
        });
        var failure = new CompletableFuture<Throwable>();
        Actor<Integer> asker = system.actor()
                .strategy(strategy)
                .onStop(exit -> silent.ask(1)
                        .exceptionally(t -> {
                            failure.complete(t instanceof CompletionException ? t.getCause() : t);
                            return 0;
                        })
                        .join())
                .newActor(message -> {});
        asker.tell(1);
        assertTrue(system.close(DAY));
        assertInstanceOf(ActorStoppedException.class, Await.value(failure));
    }

    @AllStrategies(direct = true)
    void theDeadlineIsKept(ThreadStrategy strategy) {
        var gate = new UninterruptibleGate();
        system.actor().strategy(strategy).onStop(exit -> gate.pass()).newActor(message -> {});
        assertFalse(system.close(Duration.ofMillis(1)));
        gate.open();
    }

    @AllStrategies(direct = true)
    void theDeadlineOfAnActorIsKept(ThreadStrategy strategy) {
        var gate = new UninterruptibleGate();
        Actor<Integer> actor =
                system.actor().strategy(strategy).onStop(exit -> gate.pass()).newActor(message -> {});
        assertFalse(actor.close(Duration.ofMillis(1)));
        gate.open();
    }
}
