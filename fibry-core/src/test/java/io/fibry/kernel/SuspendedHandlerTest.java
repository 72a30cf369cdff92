package io.fibry.kernel;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorExit;
import io.fibry.ActorInfo;
import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.Overflow;
import io.fibry.ReplyActor;
import io.fibry.ReplyTo;
import io.fibry.StopMode;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.NoLeftovers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

/** Handlers that are suspended, by code that stands for the coroutine of another language. */
@ExtendWith(NoLeftovers.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class SuspendedHandlerTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final ActorSystem system = ActorSystem.create();
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final List<TestHandler> handlers = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        handlers.forEach(handler -> handler.finish("at the end"));
        system.close();
    }

    private TestHandler suspended(int number) {
        await().until(() -> handlers.size() >= number);
        return handlers.get(number - 1);
    }

    private Object suspend(String message) {
        var handler = new TestHandler(message, log);
        handlers.add(handler);
        return handler.suspend();
    }

    private ReplyActor<String, Object> suspending(ThreadStrategy strategy) {
        return system.actor("suspending").strategy(strategy).newActorWithReturn(this::suspend);
    }

    private void awaitHandled(String text) {
        await().until(() -> log.contains(text));
    }

    @AllStrategies(direct = true)
    void messagesWaitUntilTheHandlerIsComplete(ThreadStrategy strategy) throws Exception {
        var actor = suspending(strategy);
        CompletableFuture<Object> first = actor.ask("a");
        CompletableFuture<Object> second = actor.ask("b");
        TestHandler a = suspended(1);
        a.step("one");
        a.step("two");
        awaitHandled("a: two");
        assertFalse(first.isDone());
        assertEquals(1, handlers.size());
        a.finish("A");
        assertEquals("A", first.get(30, TimeUnit.SECONDS));
        suspended(2).finish("B");
        assertEquals("B", second.get(30, TimeUnit.SECONDS));
        assertEquals(List.of("a: one", "a: two"), log);
        actor.stop();
        assertEquals(2, actor.exit().join().handled());
    }

    @AllStrategies(direct = true)
    void noThreadRunsASuspendedActor(ThreadStrategy strategy) {
        var actor = suspending(strategy);
        actor.tell("a");
        TestHandler a = suspended(1);
        await().until(() -> ((ActorState<?>) (Object) actor).runner() == null);
        ActorInfo info = system.actors()
                .filter(i -> i.name().equals("suspending"))
                .findFirst()
                .orElseThrow();
        assertEquals(ActorInfo.State.RUNNING, info.state());
        assertEquals(String.class.getName(), info.message());
        assertEquals(0, info.mailboxSize());
        await().until(() ->
                system.stuck(Duration.ZERO).stream().anyMatch(i -> i.name().equals("suspending")));
        actor.tell("b");
        await().until(() -> system.actors().anyMatch(i -> i.mailboxSize() == 1));
        a.finish("A");
        suspended(2).finish("B");
    }

    @AllStrategies(direct = true)
    void aFailureReachesTheAskerAndTheSupervision(ThreadStrategy strategy) {
        var actor = system.actor()
                .strategy(strategy)
                .supervision(Supervision.stop())
                .newActorWithReturn(this::suspend);
        CompletableFuture<Object> reply = actor.ask("a");
        var failure = new IllegalStateException("broken");
        suspended(1).fail(failure);
        assertSame(failure, assertThrows(CompletionException.class, reply::join).getCause());
        ActorExit exit = actor.exit().join();
        assertSame(failure, exit.cause());
        assertEquals(1, exit.failed());
    }

    @AllStrategies(direct = true)
    void aDrainFinishesAllMessages(ThreadStrategy strategy) {
        var actor = suspending(strategy);
        CompletableFuture<Object> first = actor.ask("a");
        CompletableFuture<Object> second = actor.ask("b");
        TestHandler a = suspended(1);
        actor.stop();
        assertThrows(ActorStoppedException.class, () -> actor.tell("c"));
        a.finish("A");
        suspended(2).finish("B");
        assertEquals("A", first.join());
        assertEquals("B", second.join());
        assertEquals(2, actor.exit().join().handled());
    }

    @AllStrategies(direct = true)
    void aDiscardFinishesTheSuspendedMessageOnly(ThreadStrategy strategy) {
        var actor = suspending(strategy);
        CompletableFuture<Object> first = actor.ask("a");
        CompletableFuture<Object> second = actor.ask("b");
        TestHandler a = suspended(1);
        actor.stop(StopMode.DISCARD);
        assertInstanceOf(
                ActorStoppedException.class,
                assertThrows(ExecutionException.class, () -> second.get(30, TimeUnit.SECONDS))
                        .getCause());
        assertFalse(first.isDone());
        assertFalse(actor.exit().isDone());
        a.finish("A");
        assertEquals("A", first.join());
        assertEquals(1, actor.exit().join().discarded());
    }

    @AllStrategies(direct = true)
    void anInterruptReachesTheHandlerOnce(ThreadStrategy strategy) {
        var actor = suspending(strategy);
        CompletableFuture<Object> reply = actor.ask("a");
        TestHandler a = suspended(1);
        actor.stop(StopMode.INTERRUPT);
        awaitHandled("a: interrupted");
        a.step("clean up");
        awaitHandled("a: clean up");
        a.finish("A");
        assertEquals("A", reply.join());
        assertEquals(ActorExit.Reason.INTERRUPTED, actor.exit().join().reason());
        assertEquals(List.of("a: interrupted", "a: clean up"), log);
    }

    @AllStrategies
    void anInterruptDuringAStepReachesIt(ThreadStrategy strategy) {
        var actor = suspending(strategy);
        actor.tell("a");
        TestHandler a = suspended(1);
        a.stepThatSleeps("asleep");
        awaitHandled("a: asleep");
        actor.stop(StopMode.INTERRUPT);
        awaitHandled("a: woken up");
        a.finish("A");
        assertTrue(actor.waitForExit(LONG));
    }

    @AllStrategies(direct = true)
    void theContextIsThatOfTheMessage(ThreadStrategy strategy) {
        ReplyActor<String, Object> actor = system.actor()
                .strategy(strategy)
                .newActorWithReturnFrom(context -> message -> {
                    if (!message.equals("a")) {
                        log.add(message);
                        return message;
                    }
                    var handler = new TestHandler(message, log);
                    handlers.add(handler);
                    handler.atSteps(step -> {
                        switch (step) {
                            case "stash" -> context.stash();
                            case "unstash" -> context.unstashAll();
                            case "defer" -> {
                                ReplyTo<Object> later = context.deferReply();
                                handler.atEnd(() -> later.reply("deferred"));
                            }
                            default -> {}
                        }
                    });
                    return handler.suspend();
                });
        CompletableFuture<Object> a = actor.ask("a");
        CompletableFuture<Object> b = actor.ask("b");
        TestHandler handler = suspended(1);
        handler.step("stash");
        awaitHandled("a: stash");
        handler.finish("ignored");
        assertEquals("b", b.join());
        assertFalse(a.isDone());
        CompletableFuture<Object> again = actor.ask("a");
        TestHandler second = suspended(2);
        CompletableFuture<Object> last = actor.ask("z");
        second.step("defer");
        awaitHandled("a: defer");
        second.step("unstash"); // the first message, before the last one
        second.finish("ignored");
        TestHandler third = suspended(3);
        third.finish("A");
        assertEquals("A", a.join());
        assertEquals("z", last.join());
        assertEquals(
                List.of("b", "z"), log.stream().filter(s -> s.length() == 1).toList());
        second.runAtEnd();
        assertEquals("deferred", again.join());
        actor.stop();
        assertEquals(4, actor.exit().join().handled());
    }

    @AllStrategies
    void aRestartWaitsForTheMessage(ThreadStrategy strategy) {
        ReplyActor<String, Object> actor = system.actor()
                .strategy(strategy)
                .supervision(Supervision.restart())
                .newActorWithReturnFrom(context -> {
                    log.add("made");
                    return this::suspend;
                });
        CompletableFuture<Object> first = actor.ask("a");
        CompletableFuture<Object> second = actor.ask("b");
        suspended(1).fail(new IllegalStateException("broken"));
        assertThrows(CompletionException.class, first::join);
        suspended(2).finish("B");
        assertEquals("B", second.join());
        assertEquals(List.of("made", "made"), log);
    }

    @AllStrategies
    void theLimitOfAMailboxIncludesNoSuspendedMessage(ThreadStrategy strategy) {
        Actor<String> actor =
                system.actor().strategy(strategy).bounded(1, Overflow.FAIL).newActorWithReturn(this::suspend);
        actor.tell("a");
        TestHandler a = suspended(1);
        assertTrue(actor.tryTell("b"));
        assertFalse(actor.tryTell("c"));
        a.finish("A");
        suspended(2).finish("B");
    }

    /**
     * With one carrier thread, the other actor runs between two turns of this one. A step sends the message: a carrier
     * thread prefers the virtual threads that it has started itself, so it may never run one of another thread.
     */
    @AllStrategies
    void stepsThatAddStepsLetOtherActorsRun(ThreadStrategy strategy) {
        var flag = new AtomicBoolean();
        Actor<String> other = system.actor().strategy(strategy).newActor(message -> flag.set(true));
        CompletableFuture<Object> reply = suspending(strategy).ask("a");
        var told = new AtomicBoolean();
        suspended(1)
                .stepUntil(
                        () -> {
                            if (!told.getAndSet(true)) {
                                other.tell("go");
                            }
                            return flag.get();
                        },
                        "flag seen");
        awaitHandled("a: flag seen");
        suspended(1).finish("A");
        assertEquals("A", reply.join());
    }

    @Test
    void stepsOnVirtualThreadsLetActorsOfOtherThreadsRun() {
        runNextToSteps(ThreadStrategy.virtual());
    }

    @Test
    void stepsOnOneExecutorThreadLetActorsOfOtherThreadsRun() {
        try (var thread = Executors.newSingleThreadExecutor()) {
            runNextToSteps(ThreadStrategy.pool(thread));
            system.close();
        }
    }

    private void runNextToSteps(ThreadStrategy strategy) {
        var flag = new AtomicBoolean();
        CompletableFuture<Object> reply = suspending(strategy).ask("a");
        suspended(1).stepUntil(flag::get, "flag seen");
        system.actor().strategy(strategy).newActor(message -> flag.set(true)).tell("go");
        awaitHandled("a: flag seen");
        suspended(1).finish("A");
        assertEquals("A", reply.join());
    }

    /**
     * The asker's handler runs the turn on its own stack. The second message asks the asker, and must not be handled
     * before that handler has returned.
     */
    @Test
    void aTurnOnTheStackOfTheAskerEndsWithItsReply() {
        var asker = new CompletableFuture<ReplyActor<String, Object>>();
        ReplyActor<String, Object> asked = system.actor()
                .newActorWithReturn(message -> message.equals("a")
                        ? suspend(message)
                        : asker.join().ask("now").join());
        var reply = new AtomicReference<CompletableFuture<Object>>();
        asker.complete(system.actor().newActorWithReturn(message -> {
            if (message.equals("first")) {
                reply.set(asked.ask("a"));
            }
            if (!message.equals("second")) {
                return "free";
            }
            CompletableFuture<Object> b = asked.ask("b");
            handlers.getFirst().finish("A"); // makes the other actor ready, on this worker
            return List.of(reply.get().join(), b);
        }));
        asker.join().ask("first").join();
        suspended(1);
        await().until(() -> ((ActorState<?>) (Object) asked).runner() == null);
        List<?> replies = (List<?>) asker.join().ask("second").join();
        assertEquals("A", replies.get(0));
        assertEquals("free", ((CompletableFuture<?>) replies.get(1)).join());
    }

    @Test
    void theCloseOfTheSystemWaitsForUnnamedActors() {
        var other = ActorSystem.create();
        other.actor().newActorWithReturn(this::suspend).tell("a");
        TestHandler a = suspended(1);
        var closed = CompletableFuture.supplyAsync(() -> other.close(LONG), Thread::startVirtualThread);
        assertNull(closed.getNow(null));
        a.step("still there");
        awaitHandled("a: still there");
        a.finish("A");
        assertTrue(closed.join());
    }

    @Test
    void onlyAHandlerCanBeSuspended() {
        assertThrows(IllegalStateException.class, () -> new TestHandler("x", log).suspend());
    }
}
