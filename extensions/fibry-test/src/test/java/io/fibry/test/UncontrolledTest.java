package io.fibry.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ReplyActor;
import io.fibry.ThrowingConsumer;
import io.fibry.http.HttpRoutes;
import io.fibry.stereotypes.Stereotypes;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Operations that a test cannot control are detected, and the message names the caller. */
class UncontrolledTest {

    private static String failureOf(ThrowingConsumer<TestSystem> body) {
        return assertThrows(AssertionError.class, () -> Schedules.random(3).check(body))
                .getMessage();
    }

    private static void assertContains(String part, String text) {
        assertTrue(text.contains(part), text);
    }

    @Test
    void everybodyWaits() {
        String text = failureOf(test -> {
            Probe<String> silent = test.probe("silent");
            Actor<String> client = test.actor("client")
                    .newActor(m -> silent.asReplyActor().ask(m).join());
            client.tell("hello");
            client.waitForExit();
        });
        assertContains("everybody waits: ", text);
        assertContains("client waits for a reply of silent", text);
        assertContains("the test waits for the end of client", text);
    }

    @Test
    void anActorWaitsAtTheEnd() {
        String text = failureOf(test -> {
            Probe<String> silent = test.probe("silent");
            Actor<String> client = test.actor("client")
                    .newActor(m -> silent.asReplyActor().ask(m).join());
            client.tell("hello");
        });
        assertContains("everybody waits: client waits for a reply", text);
    }

    @Test
    void aHandlerSleeps() {
        String text = failureOf(test -> {
            Actor<String> sleeper = test.actor("sleeper").newActor(m -> Thread.sleep(Duration.ofSeconds(30)));
            sleeper.tell("hello");
            test.runUntilIdle();
        });
        assertContains("sleeper sleeps in real time, at java.lang.Thread.sleep", text);
    }

    @Test
    void aHandlerWaitsForSomethingUnknown() {
        String text = failureOf(test -> {
            Actor<String> waiter = test.actor("waiter").newActor(m -> new CountDownLatch(1).await());
            waiter.tell("hello");
            test.runUntilIdle();
        });
        assertContains("waiter waits for something that is not under the control of the test", text);
        assertContains("CountDownLatch.await", text);
    }

    /** This wait is not interruptible; the caller still receives a failure. */
    @Test
    void theTestWaitsForAnUnknownFuture() {
        String text = failureOf(test -> new CompletableFuture<>().join());
        assertContains("the test waits for something that is not under the control of the test", text);
        assertContains("TestSystem.await", text);
    }

    @Test
    void aFutureOfTheJdkCanBeAwaited() {
        Schedules.random(10).check(test -> {
            ReplyActor<String, String> echo = test.actor("echo").newActorWithReturn(m -> m);
            CompletableFuture<String> a = echo.ask("a");
            CompletableFuture<String> b = echo.ask("b");
            test.await(CompletableFuture.allOf(a, b));
            assertEquals("ab", a.join() + b.join());
        });
    }

    @Test
    void anotherThreadSends() {
        String text = failureOf(test -> {
            Actor<String> target = test.actor("target").newActor(m -> {});
            Thread.ofPlatform().name("mine").start(() -> target.tell("hello")).join();
            test.runUntilIdle();
        });
        assertContains("the thread mine, which is none of the test's, has sent something to target", text);
    }

    @Test
    void serversAreRefused() {
        try (TestSystem test = TestSystem.create()) {
            Stereotypes in = Stereotypes.def().in(test.system());
            for (Runnable server : new Runnable[] {
                () -> in.tcpAcceptor(0, connection -> {}),
                () -> in.embeddedHttpServer(0, HttpRoutes.none().get("/", exchange -> "")),
                () -> in.udpServer(0, (datagram, context) -> {})
            }) {
                UnsupportedOperationException refused = assertThrows(UnsupportedOperationException.class, server::run);
                assertContains("a test has no ", refused.getMessage());
            }
        }
    }

    /** Without an asker, the failure would only be logged. */
    @Test
    void anAssertionInAHandlerFailsTheTest() {
        String text = failureOf(test -> test.actor("checker")
                .newActor((String m) -> assertEquals("good", m))
                .tell("bad"));
        assertContains("expected: <good> but was: <bad>", text);
    }

    @Test
    void messagesWithoutEnd() {
        String text = failureOf(test -> {
            Actor<String> again = test.actor("again")
                    .newActorFrom(context -> m -> context.self().tell(m));
            again.tell("hello");
            test.runUntilIdle();
        });
        assertContains("the run has not ended after " + Simulation.MOST_STEPS + " steps", text);
    }

    @Test
    void onlyTheTestMayCallIt() {
        String text = failureOf(test -> {
            ReplyActor<String, String> actor = test.actor("actor").newActorWithReturn(m -> {
                test.advance(Duration.ofSeconds(1));
                return m;
            });
            actor.call("hello");
        });
        assertContains("only the thread of the test may call advance", text);
    }
}
