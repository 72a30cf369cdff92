package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * The thread of a long-running handler has the name of its actor while the handler runs.
 *
 * <p>Seen to fail: without the watch's check; without the end of the name.
 */
class WorkerNameTest extends KernelTest {

    @Test
    void theThreadOfALongTurnHasTheNameOfItsActor() {
        var thread = new CompletableFuture<Thread>();
        var gate = new Gate();
        Actor<Integer> orders = system.actor("orders").newActor(n -> {
            thread.complete(Thread.currentThread());
            gate.pass();
        });
        orders.tell(1);
        gate.awaitReached();
        Await.until("it has the name", () -> nameOf(thread).equals("fibry-worker orders"));
        gate.open();
        Await.until("it has its own again", () -> nameOf(thread).equals("fibry-worker"));
    }

    /** The name is that of the actor on top of the stack, and then that of the one below. */
    @Test
    void anAskedActorOnTheSameStackNamesTheThread() {
        var thread = new CompletableFuture<Thread>();
        var inInner = new Gate();
        var inOuter = new Gate();
        ReplyActor<Integer, Integer> inner = system.actor("inner").newActorWithReturn(n -> {
            thread.complete(Thread.currentThread());
            inInner.pass();
            return n;
        });
        var ofOuter = new CompletableFuture<Thread>(); // the two need not share a thread
        Actor<Integer> outer = system.actor("outer").newActor(n -> {
            inner.ask(n).join();
            ofOuter.complete(Thread.currentThread());
            inOuter.pass();
        });
        outer.tell(1);
        inInner.awaitReached();
        Await.until("it has the name", () -> nameOf(thread).equals("fibry-worker inner"));
        inInner.open();
        inOuter.awaitReached();
        Await.until("it has the other name", () -> nameOf(ofOuter).equals("fibry-worker outer"));
        inOuter.open();
    }

    private static String nameOf(CompletableFuture<Thread> thread) {
        return Await.value(thread).getName();
    }

    @Test
    void thePlatformThreadOfAnActorHasItsName() {
        var name = system.actor("clerk")
                .strategy(ThreadStrategy.platform())
                .newActorWithReturn((Integer n) -> Thread.currentThread().getName());
        assertEquals("clerk", Await.value(name.ask(1)));
    }
}
