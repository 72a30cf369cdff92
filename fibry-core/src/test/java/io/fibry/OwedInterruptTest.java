package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** An interrupt remains pending until the actor has ended: it also reaches hooks and resources that start after it. */
class OwedInterruptTest extends KernelTest {

    private final List<String> seen = new CopyOnWriteArrayList<>();

    private void waitForever(String where) {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            seen.add(where);
        }
    }

    private ActorBuilder<Object> waitsInHook(ThreadStrategy strategy) {
        return actor(strategy).onStop(exit -> waitForever("hook"));
    }

    @AllStrategies(direct = true)
    void theHookOfAnIdleActorIsInterrupted(ThreadStrategy strategy) {
        Actor<String> actor = waitsInHook(strategy).newActor(message -> {});
        actor.stop(StopMode.INTERRUPT);
        Await.end(actor);
        assertEquals(List.of("hook"), seen);
        assertFalse(Thread.currentThread().isInterrupted()); // the hook may have run here
    }

    /** The handler consumes the first interrupt, and the hook needs another one. */
    @AllStrategies
    void aCloseEndsHandlerAndHookThatBothHonorInterrupts(ThreadStrategy strategy) {
        var begun = new CountDownLatch(1);
        Actor<String> actor = waitsInHook(strategy).newActor(message -> {
            begun.countDown();
            waitForever("handler");
        });
        actor.closeOnExit(() -> waitForever("resource"));
        actor.tell("wait");
        Await.latch(begun);
        actor.close(Duration.ZERO);
        assertTrue(Await.end(actor).reason() == ActorExit.Reason.INTERRUPTED);
        assertEquals(List.of("handler", "hook", "resource"), seen);
    }

    @AllStrategies
    void aSystemCloseEndsHandlerAndHookThatBothHonorInterrupts(ThreadStrategy strategy) {
        Actor<String> child = waitsInHook(strategy)
                .childOf(system.actor("parent")
                        .onStop(exit -> waitForever("parent"))
                        .newActor(m -> {}))
                .newActor(message -> {});
        system.close(Duration.ZERO);
        Await.end(child);
        Await.until("both hooks were interrupted", () -> seen.equals(List.of("hook", "parent")));
    }

    /** The thread runs other actors afterwards, which the interrupt does not concern. */
    @AllStrategies(direct = true)
    void aPendingInterruptReachesNoOtherActorAndNoWatcher(ThreadStrategy strategy) {
        var watcher = new CompletableFuture<Boolean>();
        for (int i = 0; i < 50; i++) {
            Actor<String> actor = waitsInHook(strategy).newActor(message -> {});
            var unused = actor.exit()
                    .thenRun(() -> watcher.complete(Thread.currentThread().isInterrupted()));
            actor.stop(StopMode.INTERRUPT);
            ReplyActor<String, Boolean> next = actor(strategy)
                    .newActorWithReturn(m -> Thread.currentThread().isInterrupted());
            assertFalse(Await.value(next.ask("next")));
            Await.end(actor);
            assertFalse(Await.value(watcher));
        }
    }
}
