package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.Stats;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The asks that wait for the reply: they return it, or throw the exception of the behavior. */
class CallTest extends KernelTest {

    private static final Duration SHORT = Duration.ofMillis(1);
    private static final Duration LONG = Duration.ofMinutes(1);

    /** Replies with the message; throws messages that are exceptions, and waits at gates. */
    private ReplyActor<Object, Object> actor(ActorBuilder<Object> builder) {
        return builder.newActorWithReturn(message -> {
            switch (message) {
                case Exception e -> throw e;
                case Error e -> throw e;
                case Gate gate -> gate.pass();
                case ReplyTo<?> replyTo -> replyTo.reply(null);
                default -> {}
            }
            return message;
        });
    }

    @AllStrategies(direct = true)
    void theValueIsReturned(ThreadStrategy strategy) throws Exception {
        var actor = actor(actor(strategy));
        assertEquals("a", actor.call("a"));
        assertEquals("b", actor.call("b", LONG));
        assertNull(actor.<String>call(replyTo -> replyTo, LONG));
    }

    @AllStrategies(direct = true)
    void theExceptionOfTheBehaviorIsThrown(ThreadStrategy strategy) {
        var actor = actor(actor(strategy));
        for (Throwable thrown :
                List.of(new IOException("a"), new IllegalStateException("b"), new StackOverflowError("c"))) {
            assertSame(thrown, assertThrows(Throwable.class, () -> actor.call(thrown)));
            assertSame(thrown, assertThrows(Throwable.class, () -> actor.call(thrown, LONG)));
        }
    }

    @AllStrategies
    void theTimeoutIsThrown(ThreadStrategy strategy) {
        var actor = actor(actor(strategy));
        var gate = new Gate();
        actor.tell(gate);
        gate.awaitReached();
        assertEquals(
                1,
                assertThrows(AskTimeoutException.class, () -> actor.call("a", SHORT))
                        .position());
        var thrown = assertThrows(AskTimeoutException.class, () -> actor.call(ReplyTo.class::cast, SHORT));
        assertTrue(Arrays.stream(thrown.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(CallTest.class.getName())));
        assertNotNull(thrown.getCause());
        gate.open();
    }

    @AllStrategies
    void aStopIsThrown(ThreadStrategy strategy) {
        var actor = actor(actor(strategy));
        var gate = new Gate();
        actor.tell(gate);
        gate.awaitReached();
        var waiting = new CompletableFuture<Throwable>();
        var caller =
                Thread.ofVirtual().start(() -> waiting.complete(assertThrows(Throwable.class, () -> actor.call("a"))));
        Await.untilBlocked(caller);
        actor.stop(StopMode.DISCARD);
        assertInstanceOf(ActorStoppedException.class, Await.value(waiting));
        assertThrows(ActorStoppedException.class, () -> actor.call("a"));
        assertThrows(ActorStoppedException.class, () -> actor.call("a", LONG));
        gate.open();
    }

    @Test
    void theExceptionOfAFullMailboxIsThrown() {
        var actor = actor(system.actor().bounded(1, Overflow.FAIL));
        var gate = new Gate();
        actor.tell(gate);
        gate.awaitReached();
        actor.tell("a");
        assertThrows(MailboxFullException.class, () -> actor.call("b"));
        gate.open();
    }

    @AllStrategies
    void anInterruptCancelsTheAskAndAnUnbegunMessageIsSkipped(ThreadStrategy strategy) {
        var actor = actor(actor(strategy));
        var gate = new Gate();
        actor.tell(gate);
        gate.awaitReached();
        var flag = new CompletableFuture<Boolean>();
        var caller = Thread.ofPlatform().start(() -> {
            assertThrows(ActorInterruptedException.class, () -> actor.call("skipped"));
            flag.complete(Thread.currentThread().isInterrupted());
        });
        Await.untilBlocked(caller);
        caller.interrupt();
        assertTrue(Await.value(flag));
        gate.open();
        actor.close();
        assertEquals(Stats.ofSent(1, 0, 1, 0), system.stats());
    }

    @AllStrategies
    void anActorCallsAnother(ThreadStrategy strategy) throws Exception {
        var inner = actor(actor(strategy));
        ReplyActor<Object, Object> outer = actor(strategy).newActorWithReturn(inner::call);
        assertEquals("a", outer.call("a"));
        var thrown = new IOException("from within");
        assertSame(thrown, assertThrows(IOException.class, () -> outer.call(thrown)));
        inner.close();
        assertThrows(ActorStoppedException.class, () -> outer.call("b"));
    }

    @AllStrategies
    void aStopThatInterruptsAnActorInterruptsItsCall(ThreadStrategy strategy) {
        var inner = actor(actor(strategy));
        var gate = new Gate();
        inner.tell(gate);
        gate.awaitReached();
        var begun = new Gate();
        begun.open();
        ReplyActor<Object, Object> outer = actor(strategy).newActorWithReturn(message -> {
            begun.pass();
            return inner.call(message);
        });
        var asked = outer.ask("skipped");
        begun.awaitReached();
        outer.stop(StopMode.INTERRUPT);
        Await.failure(asked);
        assertEquals(ActorExit.Reason.INTERRUPTED, Await.end(outer).reason());
        gate.open();
        inner.close();
        SystemStats ends = system.stats();
        assertEquals(2, ends.handled(), ends::toString); // the gate, and the message of the interrupted ask
    }
}
