package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.InContext;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Invalid arguments. */
class BadInputTest extends KernelTest {

    private final ReplyActor<Integer, Integer> echo = system.actor().newActorWithReturn((Integer n) -> n);

    @Test
    void aNullMessageIsRefused() {
        Sink<String> sink = system.actor().newSink("state");
        assertNames("message", () -> echo.tell(null));
        assertNames("message", () -> echo.sendMessage(null));
        assertNames("message", () -> echo.ask(null));
        assertNames("message", () -> echo.sendMessageReturn(null));
        assertNames("message", () -> sink.tell(null));
        assertNames("task", () -> echo.execute(null));
        assertNames("task", () -> sink.execute((Runnable) null));
        assertNames("code", () -> sink.execute((ThrowingConsumer<String>) null));
    }

    @Test
    void aNullMessageIsRefusedAfterTheStopToo() {
        echo.close();
        assertNames("message", () -> echo.tell(null));
        assertNames("message", () -> echo.ask(null));
    }

    @Test
    void aNullBehaviorIsRefused() {
        var builder = system.actor();
        assertNames("behavior", () -> builder.newActor(null));
        assertNames("factory", () -> builder.newActorFrom(null));
        assertNames("behavior", () -> builder.newActorWithReturn(null));
        assertNames("factory", () -> builder.newActorWithReturnFrom(null));
        assertNames("task", () -> builder.runOnce(null));
    }

    @Test
    void aNullOptionIsRefused() {
        var builder = system.actor();
        assertNames("strategy", () -> builder.strategy(null));
        assertNames("supervision", () -> builder.supervision(null));
        assertNames("parent", () -> builder.childOf(null));
        assertNames("phase", () -> builder.stopPhase(null));
        assertNames("hook", () -> builder.onStopRequested(null));
        assertNames("hook", () -> builder.onStop(null));
        assertNames("name", () -> system.actor(null));
        assertNames("executor", () -> ThreadStrategy.pool(null));
        assertNames("configuration", () -> ThreadStrategy.platform(null));
        assertNames("defaultStrategy", () -> ActorSystem.create((ThreadStrategy) null));
        assertNames("options", () -> ActorSystem.create((SystemOptions) null));
        assertNames("strategy", () -> SystemOptions.defaults().strategy(null));
        assertNames("longerThan", () -> system.stuck(null));
        assertNames("strategy", () -> ActorSystem.setDefaultStrategy(null));
    }

    @Test
    void aNullModeOrDurationIsRefusedWithoutAStop() {
        assertNames("mode", () -> echo.stop((StopMode) null));
        assertNames("deadline", () -> echo.stop((Duration) null));
        assertNames("timeout", () -> echo.waitForExit(null));
        assertNames("resource", () -> echo.closeOnExit((AutoCloseable) null));
        assertNames("deadline", () -> system.close(null));
        assertFalse(system.isClosing());
        assertNames("deadline", () -> echo.close(null));
        assertEquals(1, Await.value(echo.ask(1)));
    }

    @Test
    void aBlankNameIsRefused() {
        for (String blank : new String[] {"", " ", "\t\n"}) {
            var e = assertThrows(IllegalArgumentException.class, () -> system.actor(blank));
            assertTrue(e.getMessage().contains("blank"), e::getMessage);
            assertThrows(IllegalArgumentException.class, () -> ActorSystem.named(blank));
        }
    }

    @Test
    void aParentOfAnotherSystemIsRefused() {
        try (var other = ActorSystem.create()) {
            var stranger = other.actor().newSink(null);
            var e = assertThrows(
                    IllegalArgumentException.class, () -> system.actor().childOf(stranger));
            assertTrue(e.getMessage().contains("same system"), e::getMessage);
        }
    }

    @Test
    void aDurationOfZeroDoesNotWait() {
        assertFalse(echo.waitForExit(Duration.ZERO));
        echo.close(Await.LIMIT);
        assertTrue(echo.waitForExit(Duration.ZERO));
    }

    @Test
    void aNegativeDurationIsRefused() {
        Duration wrong = Duration.ofSeconds(-1);
        Actor<ReplyTo<String>> other = system.actor().newActor(replyTo -> {});
        Actor<ReplyTo<String>> expected = system.findOrExpect("expected", 10);
        var calls = new LinkedHashMap<String, Executable>();
        for (Actor<ReplyTo<String>> actor : List.of(other, expected)) {
            calls.put("stop of " + actor, () -> actor.stop(wrong));
            calls.put("close of " + actor, () -> actor.close(wrong));
            calls.put("waitForExit of " + actor, () -> actor.waitForExit(wrong));
            calls.put("ask of " + actor, () -> actor.<String>ask(replyTo -> replyTo, wrong));
            calls.put("call of " + actor, () -> actor.<String>call(replyTo -> replyTo, wrong));
        }
        ReplyActor<String, String> asked = system.actor().newActorWithReturn(message -> message);
        calls.put("ask", () -> asked.ask("message", wrong));
        calls.put("call", () -> asked.call("message", wrong));
        calls.put("asks", () -> Asks.all(List.of(asked.ask("message")), wrong));
        calls.put("stuck", () -> system.stuck(wrong));
        calls.put("closeOnShutdown", () -> system.closeOnShutdown(wrong));
        calls.put("close of the system", () -> system.close(wrong));
        calls.forEach((name, call) -> {
            var e = assertThrows(IllegalArgumentException.class, call, name);
            assertTrue(e.getMessage().contains("must not be negative, but is PT-1S"), e::getMessage);
        });
        assertFalse(other.exit().isDone());
        assertFalse(system.isClosing());
        InContext.run(InContext.actor(system.actor()), context -> {
            assertThrows(IllegalArgumentException.class, () -> context.after(wrong, c -> {}));
            assertThrows(IllegalArgumentException.class, () -> context.receive(c -> true, wrong));
        });
        expected.stop();
    }

    @Test
    void anEndlessDurationIsAccepted() {
        var forever = Duration.ofSeconds(Long.MAX_VALUE);
        var other = ActorSystem.create();
        var gate = new Gate();
        var busy = other.actor().newActor((Integer n) -> gate.pass());
        busy.tell(1);
        gate.awaitReached();
        var closed = new CompletableFuture<@Nullable Void>();
        var closer = Thread.ofPlatform().start(() -> {
            try {
                echo.close(forever);
                assertTrue(echo.waitForExit(forever));
                other.close(forever);
                closed.complete(null);
            } catch (RuntimeException e) {
                closed.completeExceptionally(e);
            }
        });
        Await.until("the system closes", other::isClosing);
        Await.untilBlocked(closer);
        gate.open();
        Await.value(closed);
    }

    private static void assertNames(String parameter, Executable call) {
        var e = assertThrows(NullPointerException.class, call);
        assertNotNull(e.getMessage());
        assertTrue(e.getMessage().equals(parameter) || e.getMessage().contains("\"" + parameter + "\""), e::getMessage);
    }
}
