package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.kernel.ActorStates;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import io.fibry.testing.TextContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;

/**
 * Actions that a handler arranges for later run in the context of that handler.
 *
 * <p>Seen to fail: without the context of each signal, and with a stashed copy that has none.
 */
class ContextOfSignalsTest extends KernelTest {

    private static final Duration SHORT = Duration.ofMillis(1);

    private final ActorSystem carrying =
            ActorSystem.create(SystemOptions.defaults().context(new TextContext()));
    private final LinkedBlockingQueue<String> seen = new LinkedBlockingQueue<>();

    @AfterEach
    void closeCarryingSystem() {
        carrying.close();
    }

    /** A message that runs code in its handler, and the signals that this code sends to the handler. */
    private record Do(ThrowingConsumer<ActorContext<Object>> code) {}

    private Actor<Object> actor(ThreadStrategy strategy, ThrowingConsumer<ActorContext<Object>> onOthers) {
        return carrying.actor().strategy(strategy).newActorFrom(context -> message -> {
            if (message instanceof Do d) {
                d.code.accept(context);
            } else {
                see(message);
                onOthers.accept(context);
            }
        });
    }

    private void see(Object message) {
        seen.add(message + " " + TextContext.get());
    }

    private void inHandler(Actor<Object> actor, ThrowingConsumer<ActorContext<Object>> code) throws Exception {
        TextContext.with("then", () -> actor.tell(new Do(code)));
    }

    private String next() throws InterruptedException {
        return String.valueOf(seen.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
    }

    @AllStrategies
    void timers(ThreadStrategy strategy) throws Exception {
        var actor = actor(strategy, context -> TextContext.set("left behind"));
        inHandler(actor, context -> context.after(SHORT, "after"));
        assertEquals("after then", next());
        inHandler(actor, context -> context.every(SHORT, "every"));
        assertEquals(List.of("every then", "every then"), List.of(next(), next()));
        actor.close();
        var idle = actor(strategy, context -> {});
        inHandler(idle, context -> context.receiveTimeout(SHORT, "idle"));
        seen.clear();
        Await.until("idle", () -> seen.contains("idle then"));
        idle.close();
        seen.clear();
    }

    @AllStrategies
    void resultsOfStages(ThreadStrategy strategy) throws Exception {
        var actor = actor(strategy, context -> {});
        var stage = new CompletableFuture<String>();
        inHandler(
                actor, context -> context.pipeToSelf(stage, (value, failure) -> value + " made " + TextContext.get()));
        TextContext.with("completes", () -> stage.complete("result"));
        assertEquals("result made then then", next());
    }

    /** The actor has been stopped, and waits for the result. */
    @AllStrategies
    void resultsOfStagesForAnActorThatDrains(ThreadStrategy strategy) throws Exception {
        var actor = actor(strategy, context -> {});
        var stage = new CompletableFuture<String>();
        inHandler(actor, context -> context.pipeToSelf(stage, (value, failure) -> value));
        inHandler(actor, context -> see("piped"));
        assertEquals("piped then", next());
        actor.stop();
        ActorStates.awaitStopped(actor, StopMode.DRAIN);
        stage.complete("late");
        assertEquals("late then", next());
        Await.end(actor);
    }

    @AllStrategies
    void endsOfWatchedActors(ThreadStrategy strategy) throws Exception {
        var actor = actor(strategy, context -> {});
        var watched = carrying.actor().newActor((Integer n) -> {});
        inHandler(actor, context -> {
            context.watch(watched, exit -> see("ended"));
            see("watches");
        });
        assertEquals("watches then", next());
        TextContext.with("stops", () -> watched.stop());
        assertEquals("ended then", next());
    }

    @AllStrategies
    void stashedMessages(ThreadStrategy strategy) throws Exception {
        Actor<String> actor = carrying.actor().strategy(strategy).newActorFrom(context -> message -> {
            if (message.equals("open")) {
                context.become(m -> see(m));
                context.unstashAll();
            } else {
                context.stash();
            }
        });
        TextContext.with("a", () -> actor.tell("first"));
        TextContext.with("b", () -> actor.tell("second"));
        TextContext.with("c", () -> actor.tell("open"));
        assertEquals(List.of("first a", "second b"), List.of(next(), next()));
    }

    /** The message is received inside the handler of another message, whose context remains in effect. */
    @AllStrategies
    void selectedMessages(ThreadStrategy strategy) throws Exception {
        var actor = actor(strategy, context -> {});
        inHandler(actor, context -> see(context.receive(m -> true, Await.LIMIT).orElseThrow()));
        TextContext.with("selected", () -> actor.tell("message"));
        assertEquals("message then", next());
    }
}
