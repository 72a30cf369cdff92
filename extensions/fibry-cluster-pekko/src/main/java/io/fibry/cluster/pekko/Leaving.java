package io.fibry.cluster.pekko;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.Done;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.CoordinatedShutdown;

/** Leaves the cluster, in Pekko's order: entities first, then the membership, then the connections. */
final class Leaving {

    /** The time that Pekko may take for an immediate termination. */
    private static final Duration AT_ONCE = Duration.ofSeconds(5);

    private enum ByProgram implements CoordinatedShutdown.Reason {
        CLOSE
    }

    private Leaving() {}

    /** Registers a callback that runs when the node begins to leave, also at JVM exit. */
    static void onBegin(ActorSystem pekko, Runnable call) {
        CoordinatedShutdown.get(pekko).addTask(CoordinatedShutdown.PhaseBeforeServiceUnbind(), "fibry-refuse", () -> {
            call.run();
            return CompletableFuture.completedFuture(Done.done());
        });
    }

    /** Registers code that runs after this node has left the cluster, also at JVM exit. It may block. */
    static void onEnd(ActorSystem pekko, Runnable call) {
        CoordinatedShutdown.get(pekko)
                .addTask(
                        CoordinatedShutdown.PhaseBeforeActorSystemTerminate(),
                        "fibry-release",
                        () -> CompletableFuture.runAsync(call, Thread::startVirtualThread)
                                .thenApply(ended -> Done.done()));
    }

    static boolean leave(ActorSystem pekko, CompletableFuture<?> removed, Duration deadline, Runnable giveUp) {
        CompletionStage<?> unused = CoordinatedShutdown.get(pekko).runAll(ByProgram.CLOSE);
        if (await(removed, deadline)) {
            return true;
        }
        giveUp.run();
        pekko.terminate();
        await(removed, AT_ONCE);
        return false;
    }

    /**
     * Waits for the future and returns whether it has completed in time. An interrupt ends the wait and keeps the
     * interrupt status.
     */
    static boolean await(CompletableFuture<?> future, Duration atMost) {
        try {
            future.get(TimeUnit.NANOSECONDS.convert(atMost), TimeUnit.NANOSECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            return true; // it has completed, exceptionally
        }
    }
}
