package io.fibry.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Asks;
import io.fibry.ReplyActor;
import io.fibry.ThrowingConsumer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Futures that are made of several asks. Without a check of the test kit, the failing tests here would hang. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ComposedFuturesTest {

    private static ReplyActor<String, String> echo(TestSystem test) {
        return test.actor("echo").newActorWithReturn(message -> message);
    }

    private static void passes(ThrowingConsumer<TestSystem> body) throws Exception {
        try (TestSystem test = TestSystem.create()) {
            body.accept(test);
        }
        Schedules.random(20).check(body);
    }

    @Test
    void theGroupsOfAsksAreWaitedFor() {
        try (TestSystem test = TestSystem.create()) {
            ReplyActor<String, String> echo = echo(test);
            Duration hour = Duration.ofHours(1);
            assertEquals(
                    List.of("a", "b"),
                    Asks.all(List.of(echo.ask("a"), echo.ask("b")), hour).join());
            assertEquals(
                    "a",
                    Asks.first(
                                    List.of(
                                            echo.ask("a"),
                                            test.<String>probe("silent")
                                                    .<String>asReplyActor()
                                                    .ask("b")),
                                    hour)
                            .join());
        }
    }

    @Test
    void soAreCombinedStages() throws Exception {
        passes(test -> {
            ReplyActor<String, String> echo = echo(test);
            assertEquals(
                    "ab",
                    echo.ask("a").thenCombine(echo.ask("b"), String::concat).join());
            assertEquals(
                    "cd",
                    echo.ask("c")
                            .thenCompose(c -> echo.ask("d").thenApply(c::concat))
                            .get());
            assertEquals("e", echo.ask("e").applyToEither(echo.ask("e"), e -> e).join());
        });
    }

    @Test
    void awaitWaitsForAnyFuture() throws Exception {
        passes(test -> {
            ReplyActor<String, String> echo = echo(test);
            CompletableFuture<String> a = echo.ask("a");
            CompletableFuture<String> b = echo.ask("b");
            test.await(CompletableFuture.allOf(a, b));
            assertEquals("ab", a.join() + b.join());
            assertTrue(List.of("a", "b").contains(test.await(CompletableFuture.anyOf(echo.ask("a"), echo.ask("b")))));
        });
    }

    @Test
    void awaitInAHandlerWaitsToo() throws Exception {
        passes(test -> {
            ReplyActor<String, String> echo = echo(test);
            ReplyActor<String, String> twice = test.actor("twice").newActorWithReturn(message -> {
                CompletableFuture<String> a = echo.ask(message);
                CompletableFuture<String> b = echo.ask(message);
                test.await(CompletableFuture.allOf(a, b));
                return a.join() + b.join();
            });
            assertEquals("xx", twice.ask("x").join());
        });
    }

    /** A call of join or get throws its own exception. The close of the test system throws the error. */
    private static void accept(ThrowingConsumer<TestSystem> body, TestSystem test) {
        try {
            body.accept(test);
        } catch (Exception e) {
            assertInstanceOf(AssertionError.class, e.getCause());
        }
    }

    /** The body waits for a plain future of asks: the error says so, in a plain test and in a simulated one. */
    private static void isRefused(String who, ThrowingConsumer<TestSystem> body) {
        AssertionError plain = assertThrows(AssertionError.class, () -> {
            try (TestSystem test = TestSystem.create()) {
                accept(body, test);
            }
        });
        ScheduleFailure simulated =
                assertThrows(ScheduleFailure.class, () -> Schedules.random(1).check(body));
        for (String text : List.of(plain.getMessage(), simulated.getMessage())) {
            assertTrue(
                    text.contains(who + " waits for a future that is not under the control of the test, at java.util"
                            + ".concurrent.CompletableFuture."),
                    text);
            assertTrue(text.contains("io.fibry.Asks.all or first"), text);
            assertTrue(text.contains("TestSystem.await(future)"), text);
        }
    }

    @Test
    void allOfInTheTestIsRefused() {
        isRefused("the test", test -> {
            ReplyActor<String, String> echo = echo(test);
            CompletableFuture.allOf(echo.ask("a"), echo.ask("b").thenApply(String::length))
                    .join();
        });
    }

    @Test
    void anyOfInTheTestIsRefused() {
        isRefused("the test", test -> {
            ReplyActor<String, String> echo = echo(test);
            CompletableFuture.anyOf(echo.ask("a"), echo.ask("b")).get();
        });
    }

    @Test
    void allOfTheEndsOfActorsIsRefused() {
        isRefused("the test", test -> {
            ReplyActor<String, String> echo = echo(test);
            echo.stop();
            CompletableFuture.allOf(echo.exit()).thenRun(() -> {}).join();
        });
    }

    @Test
    void allOfInAHandlerIsRefused() {
        isRefused("twice", test -> {
            ReplyActor<String, String> echo = echo(test);
            test.actor("twice")
                    .newActor((String message) -> CompletableFuture.allOf(echo.ask(message), echo.ask(message))
                            .join())
                    .tell("x");
            test.runUntilIdle();
        });
    }

    /**
     * Nothing can end this wait: no future of an actor leads to it. The test ends without the thread of the handler.
     */
    @Test
    void aHandlerWithoutAWakeUpDoesNotBlockTheTest() {
        AssertionError stuck = assertThrows(AssertionError.class, () -> {
            try (TestSystem test = TestSystem.create()) {
                test.actor("other").newActor((String m) -> {}).tell("y");
                test.actor("stuck")
                        .newActor((String message) -> new CompletableFuture<>().join())
                        .tell("x");
                test.runUntilIdle();
            }
        });
        assertTrue(
                stuck.getMessage().contains("stuck waits for something that is not under the control of the test"),
                stuck.getMessage());
    }

    /** A plain test may wait for a thread of the program. The future of that thread is none of an actor. */
    @Test
    void aFutureOfAThreadIsWaitedFor() throws Exception {
        var looked = new CountDownLatch(1);
        try (TestSystem test = TestSystem.create()) {
            echo(test).tell("a");
            CompletableFuture<String> done = CompletableFuture.supplyAsync(() -> {
                looked.countDown();
                return "done";
            });
            looked.await();
            assertEquals("done", done.join());
        }
    }
}
