package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A carrier knows the actor and the message of a handler, and its failure.
 *
 * <p>Seen to fail: with a failure that is not passed on, two carriers of which only one knows the failure, timers that
 * pass themselves, generated names, and asks that are attached although they were given up.
 */
class HandlerContextTest extends KernelTest {

    private final LinkedBlockingQueue<String> seen = new LinkedBlockingQueue<>();
    private final ActorSystem observing =
            ActorSystem.create(SystemOptions.defaults().context(new Observer("a").and(new Observer("b"))));

    @AfterEach
    void closeObservingSystem() {
        observing.close();
    }

    /** Records the handlers in whose context it is attached. */
    private final class Observer implements ContextCarrier {
        private final String name;

        Observer(String name) {
            this.name = name;
        }

        @Override
        public Captured capture() {
            return new Captured() {
                @Override
                public Attached attach() {
                    return () -> {};
                }

                @Override
                public Attached attach(@Nullable String actor, Object message) {
                    seen.add(name + " " + actor + " " + message);
                    return new Attached() {
                        @Override
                        public void failed(Throwable failure) {
                            seen.add(name + " failed " + failure.getMessage());
                        }

                        @Override
                        public void close() {
                            seen.add(name + " closed");
                        }
                    };
                }
            };
        }
    }

    private void assertSeen(String... expected) throws InterruptedException {
        for (String next : expected) {
            assertEquals(next, String.valueOf(seen.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS)));
        }
    }

    private void assertHandled(String actorAndMessage) throws InterruptedException {
        assertSeen("a " + actorAndMessage, "b " + actorAndMessage, "b closed", "a closed");
    }

    @AllStrategies
    void aHandlerIsAttachedWithItsActorAndMessage(ThreadStrategy strategy) throws Exception {
        var named = observing.actor("orders").strategy(strategy).newActorWithReturn((Integer n) -> n + 1);
        assertEquals(2, Await.value(named.ask(1)));
        assertHandled("orders 1");
        var labelled = observing.actor().label("id-7").strategy(strategy).newActor((Integer n) -> {});
        labelled.tell(2);
        assertHandled("null 2");
        observing.actor().strategy(strategy).newActor((Integer n) -> {}).tell(3);
        assertHandled("null 3");
    }

    @AllStrategies
    void aFailureIsPassedOnBeforeTheEnd(ThreadStrategy strategy) throws Exception {
        var actor = observing.actor("fails").strategy(strategy).newActorWithReturn((Integer n) -> {
            if (n == 1) {
                throw new IllegalStateException("meant to fail");
            }
            return n;
        });
        assertEquals("meant to fail", Await.failure(actor.ask(1)).getMessage());
        assertSeen("a fails 1", "b fails 1", "b failed meant to fail", "a failed meant to fail");
        assertSeen("b closed", "a closed");
        assertEquals(2, Await.value(actor.ask(2)));
        assertHandled("fails 2");
    }

    @Test
    void timersPipesAndWatchesAreAttachedWithWhatTheyDeliver() throws Exception {
        var source = new CompletableFuture<String>();
        Actor<String> actor = observing.actor("own").newActorFrom(context -> message -> {
            switch (message) {
                case "timer" -> context.after(Duration.ofNanos(1), "tick");
                case "pipe" -> context.pipeToSelf(source, (value, failure) -> "piped " + value);
                case "stash piped" ->
                    context.become(next -> {
                        if (next.equals("go")) {
                            context.unstashAll();
                            context.become(last -> {});
                        } else {
                            context.stash();
                        }
                    });
                default -> {}
            }
        });
        actor.tell("timer");
        assertHandled("own timer");
        assertHandled("own tick");
        actor.tell("pipe");
        assertHandled("own pipe");
        actor.tell("stash piped");
        assertHandled("own stash piped");
        source.complete("result");
        assertHandled("own result");
        actor.tell("go");
        assertHandled("own go");
        assertHandled("own piped result");
        Actor<Integer> watched = observing.actor().newActor(n -> {});
        Actor<Integer> watcher =
                observing.actor("watcher").newActorFrom(context -> n -> context.watch(watched, exit -> {}));
        watcher.tell(1);
        assertHandled("watcher 1");
        watched.stop();
        String end = String.valueOf(seen.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        assertEquals("a watcher " + watched.exit().join(), end);
    }

    @Test
    void deadLettersAndGivenUpAsksHaveNoHandler() throws Exception {
        Actor<Integer> nobody = observing.findOrExpect("nobody", 10);
        nobody.tell(1);
        nobody.stop();
        var gate = new CompletableFuture<String>();
        var slow = observing.actor("slow").newActorWithReturn((Integer n) -> n == 1 ? gate.get() : "");
        var first = slow.ask(1);
        slow.ask(2).cancel(false);
        gate.complete("open");
        Await.value(first);
        Await.value(slow.ask(3));
        assertHandled("slow 1");
        assertHandled("slow 3");
        assertEquals(List.of(), List.copyOf(seen));
    }
}
