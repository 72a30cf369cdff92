package io.fibry.kernel;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fibry.ActorSystem;
import io.fibry.ContextCarrier;
import io.fibry.SystemOptions;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.NoLeftovers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The steps of a suspended handler run in the context of its message, which ends with the handler.
 *
 * <p>Seen to fail: with a context that is closed at the first suspension, with steps without a context, and if only
 * exceptions and errors are passed on.
 */
@ExtendWith(NoLeftovers.class)
@Timeout(60)
class SuspendedContextTest {

    private final List<String> log = new CopyOnWriteArrayList<>();
    private final ThreadLocal<@Nullable String> current = new ThreadLocal<>();

    /** The first carrier has no context of its own for the rest of a handler. */
    private final ActorSystem system =
            ActorSystem.create(SystemOptions.defaults().context(new Sender().and(new Handler())));

    @AfterEach
    void close() {
        system.close();
    }

    /** Attaches the value of the sender for the whole handler. */
    private final class Sender implements ContextCarrier {
        @Override
        public Captured capture() {
            return () -> {
                log.add("sender attached");
                return () -> log.add("sender closed");
            };
        }
    }

    /** Attaches a value for the handler, which goes on after a suspension. */
    private final class Handler implements ContextCarrier {
        @Override
        public Captured capture() {
            return new Captured() {
                @Override
                public Attached attach() {
                    return () -> {};
                }

                @Override
                public Attached attach(@Nullable String actor, Object message) {
                    log.add("begin");
                    return attached("context of " + message);
                }
            };
        }

        private Attached attached(String value) {
            current.set(value);
            return new Attached() {
                @Override
                public void failed(Throwable failure) {
                    log.add("failed " + failure.getMessage());
                }

                @Override
                public Captured suspend() {
                    current.remove();
                    log.add("suspend");
                    return () -> {
                        log.add("resume");
                        return attached(value);
                    };
                }

                @Override
                public void close() {
                    current.remove();
                    log.add("end");
                }
            };
        }
    }

    private CompletableFuture<Object> ask(ThreadStrategy strategy, CompletableFuture<TestHandler> made) {
        return system.actor()
                .strategy(strategy)
                .newActorWithReturn(message -> {
                    var handler = new TestHandler("m", log);
                    handler.atSteps(step -> log.add(step + " in " + current.get()));
                    made.complete(handler);
                    return handler.suspend();
                })
                .ask("a");
    }

    /** Awaits these lines. The context of the sender is also attached to complete the reply. */
    private void awaitLog(String... expected) {
        await().until(() -> log.size() >= expected.length);
        assertEquals(List.of(expected), List.copyOf(log));
        log.clear();
    }

    @AllStrategies(direct = true)
    void theContextIsThatOfTheMessageUntilItsEnd(ThreadStrategy strategy) {
        var made = new CompletableFuture<TestHandler>();
        CompletableFuture<Object> reply = ask(strategy, made);
        awaitLog("sender attached", "begin", "suspend", "sender closed");
        made.join().step("one");
        awaitLog("sender attached", "resume", "one in context of a", "m: one", "suspend", "sender closed");
        made.join().finish("A");
        assertEquals("A", reply.join());
        awaitLog("sender attached", "resume", "end", "sender closed", "sender attached", "sender closed");
    }

    @AllStrategies(direct = true)
    void aFailureIsPassedOnBeforeTheEnd(ThreadStrategy strategy) {
        var made = new CompletableFuture<TestHandler>();
        CompletableFuture<Object> reply = ask(strategy, made);
        awaitLog("sender attached", "begin", "suspend", "sender closed");
        made.join().fail(new Throwable("meant to fail")); // neither an Exception nor an Error
        assertEquals(
                "meant to fail",
                assertThrows(CompletionException.class, reply::join).getCause().getMessage());
        awaitLog(
                "sender attached",
                "resume",
                "failed meant to fail",
                "end",
                "sender closed",
                "sender attached",
                "sender closed");
    }
}
