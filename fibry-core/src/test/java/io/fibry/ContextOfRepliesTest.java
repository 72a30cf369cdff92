package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.TextContext;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A stage that runs because an ask completes has the context of the asker, whichever thread completes it.
 *
 * <p>Seen to fail: with replies that do not know their context.
 */
class ContextOfRepliesTest extends KernelTest {

    private final TextContext carrier = new TextContext();
    private final ActorSystem carrying =
            ActorSystem.create(SystemOptions.defaults().context(carrier));

    @AfterEach
    void closeCarryingSystem() {
        carrying.close();
    }

    /** Asks with this text, adds a stage, completes the reply, and returns the text that the stage has seen. */
    private static String stageOf(Supplier<CompletableFuture<?>> ask, ThrowingRunnable then) throws Exception {
        var seen = new AtomicReference<@Nullable CompletableFuture<String>>();
        TextContext.with(
                "asker", () -> seen.set(ask.get().handle((value, failure) -> String.valueOf(TextContext.get()))));
        TextContext.with("another", then);
        CompletableFuture<String> stage = seen.get();
        return stage == null ? "none" : Await.value(stage);
    }

    @AllStrategies
    void anOrdinaryReplyHasTheContextOfTheAsker(ThreadStrategy strategy) throws Exception {
        var gate = new Gate();
        var actor = carrying.actor().strategy(strategy).newActorWithReturn((Integer n) -> {
            gate.pass();
            TextContext.set("handler");
            return n;
        });
        assertEquals("asker", stageOf(() -> actor.ask(1), gate::open));
        assertEquals("asker", stageOf(() -> actor.ask(1, Await.LIMIT), () -> {}));
    }

    @AllStrategies
    void aFailureHasTheContextOfTheAsker(ThreadStrategy strategy) throws Exception {
        var gate = new Gate();
        var actor = carrying.actor().strategy(strategy).newActorWithReturn((Integer n) -> {
            gate.pass();
            TextContext.set("handler");
            throw new IllegalStateException("meant to fail");
        });
        assertEquals("asker", stageOf(() -> actor.ask(1), gate::open));
    }

    @AllStrategies
    void aDeferredReplyHasTheContextOfTheAsker(ThreadStrategy strategy) throws Exception {
        var deferred = new CompletableFuture<ReplyTo<String>>();
        var actor = carrying.actor().strategy(strategy).<Integer, String>newActorWithReturnFrom(context -> n -> {
            deferred.complete(context.deferReply());
            return "ignored";
        });
        assertEquals(
                "asker", stageOf(() -> actor.ask(1), () -> Await.value(deferred).reply("later")));
    }

    @AllStrategies
    void aReplyToInAMessageHasTheContextOfTheAsker(ThreadStrategy strategy) throws Exception {
        var given = new CompletableFuture<ReplyTo<String>>();
        var actor = carrying.actor().strategy(strategy).newActor((ReplyTo<String> to) -> {
            given.complete(to);
        });
        assertEquals(
                "asker",
                stageOf(
                        () -> actor.<String>ask(to -> to, Await.LIMIT),
                        () -> Await.value(given).fail(new IllegalStateException("meant"))));
    }

    @Test
    void aTimeoutHasTheContextOfTheAsker() throws Exception {
        var gate = new Gate();
        var actor = carrying.actor().newActorWithReturn((Integer n) -> {
            gate.pass();
            return n;
        });
        assertEquals("asker", stageOf(() -> actor.ask(1, Duration.ofMillis(1)), () -> {}));
        gate.open();
    }

    @Test
    void aDiscardedAskHasTheContextOfTheAsker() throws Exception {
        var gate = new Gate();
        var actor = carrying.actor().newActorWithReturn((Integer n) -> {
            gate.pass();
            return n;
        });
        actor.tell(1);
        gate.awaitReached();
        assertEquals("asker", stageOf(() -> actor.ask(2), () -> actor.stop(StopMode.DISCARD)));
        gate.open();
    }

    /** The message and its reply share one captured context. */
    @Test
    void anAskIsCapturedOnce() throws Exception {
        var actor = carrying.actor().newActorWithReturn((Integer n) -> n);
        TextContext.with("asker", () -> Await.value(actor.ask(1)));
        TextContext.with("asker", () -> Await.value(actor.ask(1, Await.LIMIT)));
        assertEquals(2, carrier.captures.get());
    }
}
