package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** Messages that are sent after the stop. */
class RefusalTest extends KernelTest {

    @AllStrategies(direct = true)
    void aStoppedActorRefusesTellCalls(ThreadStrategy strategy) {
        var handled = new AtomicInteger();
        var actor = actor(strategy).newActor((Integer n) -> handled.incrementAndGet());
        actor.stop();
        var e = assertThrows(ActorStoppedException.class, () -> actor.tell(1));
        assertTrue(e.getMessage().contains(actor.name()), e::getMessage);
        assertNull(e.getCause());
        assertThrows(RejectedExecutionException.class, () -> actor.execute(handled::incrementAndGet));
        actor.waitForExit();
        assertThrows(ActorStoppedException.class, () -> actor.sendMessage(1));
        assertEquals(0, handled.get());
    }

    @AllStrategies(direct = true)
    void aStoppedActorFailsAsksAtOnce(ThreadStrategy strategy) {
        var actor = actor(strategy).newActorWithReturn((Integer n) -> n);
        actor.stop();
        assertRefused(actor.ask(1));
        actor.waitForExit();
        assertRefused(actor.sendMessageReturn(1));
    }

    @AllStrategies
    void aDrainingActorRefusesMessages(ThreadStrategy strategy) {
        var gate = new Gate();
        var actor = actor(strategy).newActorWithReturn((Integer n) -> {
            gate.pass();
            return n;
        });
        var accepted = actor.ask(1);
        gate.awaitReached();
        actor.stop();
        assertRefused(actor.ask(2));
        assertThrows(ActorStoppedException.class, () -> actor.tell(3));
        gate.open();
        assertEquals(1, Await.value(accepted));
    }

    @AllStrategies(direct = true)
    void aStoppedSinkRefusesCode(ThreadStrategy strategy) {
        var sink = actor(strategy).newSink(new StringBuilder());
        sink.execute(state -> state.append("before"));
        sink.close();
        assertThrows(ActorStoppedException.class, () -> sink.execute(state -> state.append("after")));
        assertThrows(ActorStoppedException.class, () -> sink.tell("message"));
    }

    @AllStrategies(direct = true)
    void theRefusalOfAFailedActorHasTheCause(ThreadStrategy strategy) {
        var cause = new IllegalStateException("broken");
        var actor = actor(strategy).supervision(Supervision.stop()).newActorWithReturn((Integer n) -> {
            throw cause;
        });
        assertSame(cause, Await.failure(actor.ask(1)));
        Await.end(actor);
        assertSame(
                cause,
                assertThrows(ActorStoppedException.class, () -> actor.tell(2)).getCause());
        assertSame(cause, Await.failure(actor.ask(3)).getCause());
    }

    private static void assertRefused(CompletableFuture<?> reply) {
        assertTrue(reply.isCompletedExceptionally(), "at once");
        assertInstanceOf(ActorStoppedException.class, Await.failure(reply));
    }
}
