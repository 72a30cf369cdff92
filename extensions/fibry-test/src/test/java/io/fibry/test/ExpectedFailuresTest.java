package io.fibry.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.ReplyActor;
import io.fibry.StopMode;
import io.fibry.Supervision;
import io.fibry.ThrowingConsumer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** A failure that no asker gets fails the test, unless the test expects it. */
class ExpectedFailuresTest {

    private static Actor<String> failing(TestSystem test) {
        return test.actor("disk").newActor(message -> {
            throw new IOException("disk full");
        });
    }

    /** The error of a plain test and that of a simulated one, which have to say the same. */
    private static String failureOf(ThrowingConsumer<TestSystem> body) {
        AssertionError plain = assertThrows(AssertionError.class, () -> {
            try (TestSystem test = TestSystem.create()) {
                body.accept(test);
            }
        });
        ScheduleFailure simulated =
                assertThrows(ScheduleFailure.class, () -> Schedules.random(2).check(body));
        assertEquals(plain.getMessage(), simulated.getCause().getMessage());
        return plain.getMessage();
    }

    private static void passes(ThrowingConsumer<TestSystem> body) throws Exception {
        try (TestSystem test = TestSystem.create()) {
            body.accept(test);
        }
        Schedules.random(20).check(body);
    }

    private static void assertContains(String part, String text) {
        assertTrue(text.contains(part), text);
    }

    @Test
    void aFailureOfAHandlerOfATellFailsTheTest() {
        String text = failureOf(test -> {
            failing(test).tell("debit");
            test.runUntilIdle();
        });
        assertEquals(
                "actor disk failed to handle debit, and no asker gets the failure: java.io.IOException: disk full\n"
                        + "If the test expects this, call expectFailure(\"disk\", IOException.class) of its TestSystem"
                        + " before",
                text);
    }

    @Test
    void theCauseIsTheException() {
        try (TestSystem test = TestSystem.create()) {
            failing(test).tell("debit");
            AssertionError failed = assertThrows(AssertionError.class, test::runUntilIdle);
            assertEquals("disk full", failed.getCause().getMessage());
            assertSame(failed, assertThrows(AssertionError.class, test::close).getCause());
        }
    }

    @Test
    void soDoesOneOfTheLastMessages() {
        assertContains(
                "actor disk failed to handle debit",
                failureOf(test -> failing(test).tell("debit")));
    }

    @Test
    void soDoesOneThatRunsForAProbe() {
        assertContains("actor disk failed to handle debit", failureOf(test -> {
            Probe<String> probe = test.probe("probe");
            failing(test).tell("debit");
            probe.expect("written");
        }));
    }

    @Test
    void soDoesOneOfASystemThatTheProgramMakes() {
        assertContains("actor clerk failed to handle order", failureOf(test -> {
            Actor<String> clerk = ActorSystem.create().actor("clerk").newActor(message -> {
                throw new IOException("no paper");
            });
            clerk.tell("order");
        }));
    }

    @Test
    void soDoesATimer() {
        assertContains("actor clock failed to handle the timer's tick", failureOf(test -> {
            Actor<String> unused = test.actor("clock").newActorFrom(context -> {
                context.after(Duration.ofHours(1), "tick");
                return message -> {
                    throw new IOException("no spring");
                };
            });
            test.advance(Duration.ofHours(2));
        }));
    }

    @Test
    void soDoesCodeGivenToAnActor() {
        assertContains("actor disk failed to handle code", failureOf(test -> {
            Actor<String> disk = test.actor("disk").newActor(message -> {});
            disk.execute(() -> {
                throw new IllegalStateException("disk full");
            });
        }));
    }

    @Test
    void soDoesARestartThatFails() {
        int[] made = {0};
        assertContains("could not be restarted, and no asker gets the failure", failureOf(test -> {
            made[0] = 0;
            Actor<String> actor = test.actor("actor")
                    .supervision(Supervision.restart())
                    .newActorFrom(context -> {
                        if (made[0]++ > 0) {
                            throw new IllegalStateException("no second one");
                        }
                        return message -> {
                            throw new IOException("first");
                        };
                    });
            test.expectFailure(actor, IOException.class);
            actor.tell("go");
        }));
    }

    @Test
    void anAskerGetsItsFailure() throws Exception {
        passes(test -> {
            ReplyActor<String, String> disk = test.actor("disk").newActorWithReturn(message -> {
                throw new IOException("disk full");
            });
            assertThrows(CompletionException.class, () -> disk.ask("debit").join());
        });
    }

    /** The asker has stopped waiting, so the failure would be in the log only. */
    @Test
    void aFailureAfterTheTimeoutOfTheAskFailsTheTest() {
        assertContains("actor disk failed to handle debit", failureOf(test -> {
            Probe<String> slow = test.probe("slow");
            ReplyActor<String, String> disk = test.actor("disk").newActorWithReturn(message -> {
                slow.asReplyActor().ask(message).join();
                throw new IOException("disk full");
            });
            assertThrows(
                    CompletionException.class,
                    () -> disk.ask("debit", Duration.ofSeconds(1)).join());
            slow.expect("debit");
            slow.reply("now");
            test.runUntilIdle();
        }));
    }

    @Test
    void anInterruptedHandlerOfAStopIsNoFailure() throws Exception {
        passes(test -> {
            Probe<String> silent = test.probe("silent");
            Actor<String> waiting = test.actor("waiting").newActor(message -> {
                silent.asReplyActor().ask(message).get();
            });
            waiting.tell("hello");
            silent.expect("hello");
            waiting.stop(StopMode.INTERRUPT);
            waiting.waitForExit();
        });
    }

    @Test
    void anExpectedFailurePasses() throws Exception {
        passes(test -> {
            Actor<String> disk = failing(test);
            test.expectFailure(disk, IOException.class);
            disk.tell("debit");
            test.runUntilIdle();
        });
    }

    @Test
    void eachExpectationIsForOneFailure() throws Exception {
        ThrowingConsumer<TestSystem> two = test -> {
            Actor<String> disk = failing(test);
            test.expectFailure(disk, IOException.class);
            disk.tell("debit");
            disk.tell("credit");
        };
        assertContains("actor disk failed to handle credit", failureOf(two));
        passes(test -> {
            test.expectFailure("disk", Exception.class);
            two.accept(test);
        });
    }

    @Test
    void anotherTypeOrActorIsNotExpected() {
        assertContains("IOException: disk full", failureOf(test -> {
            Actor<String> disk = failing(test);
            test.expectFailure(disk, IllegalStateException.class);
            test.expectFailure("tape", IOException.class);
            disk.tell("debit");
        }));
    }

    @Test
    void anExpectedFailureThatDoesNotOccurFailsTheTest() {
        assertEquals(
                "actor disk was expected to fail with java.io.IOException, and has not; if it fails in some runs only,"
                        + " call allowFailures",
                failureOf(test -> test.expectFailure("disk", IOException.class)));
    }

    @Test
    void anyNumberOfAllowedFailuresPasses() throws Exception {
        for (int failures = 0; failures < 3; failures++) {
            int n = failures;
            passes(test -> {
                Actor<String> disk = failing(test);
                test.allowFailures(disk, IOException.class);
                for (int i = 0; i < n; i++) {
                    disk.tell("debit");
                }
            });
        }
    }

    /** Its name has the identity of the actor. The trace, and so the message, has a number. */
    @Test
    void anActorWithoutNameIsExpectedByEitherName() throws Exception {
        ThrowingConsumer<TestSystem> unnamed = test -> test.actor()
                .newActor((String m) -> {
                    throw new IOException("disk full");
                })
                .tell("debit");
        String text = failureOf(unnamed);
        assertTrue(text.startsWith("actor 1 failed to handle debit"), text);
        assertContains("call expectFailure(\"actor 1\", IOException.class)", text);
        passes(test -> {
            test.expectFailure("actor 1", IOException.class);
            unnamed.accept(test);
        });
        passes(test -> {
            Actor<String> actor = test.actor().newActor(m -> {
                throw new IOException("disk full");
            });
            test.expectFailure(actor, IOException.class);
            actor.tell("debit");
        });
    }

    /** The exception of a test is often an anonymous class. */
    @Test
    void theHintNamesAClassThatCanBeWritten() {
        assertContains(
                "expectFailure(\"disk\", IOException.class)",
                failureOf(test -> test.actor("disk")
                        .newActor((String m) -> {
                            throw new IOException("disk full") {};
                        })
                        .tell("debit")));
    }

    @Test
    void aSupervisedRestartIsExpected() throws Exception {
        passes(test -> {
            List<String> log = new ArrayList<>();
            Actor<String> clerk = test.actor("clerk")
                    .supervision(Supervision.restart())
                    .newActorFrom(context -> {
                        log.add("begin");
                        return message -> {
                            if (message.equals("smoke")) {
                                throw new IllegalStateException(message);
                            }
                            log.add(message);
                        };
                    });
            test.expectFailure(clerk, IllegalStateException.class);
            clerk.tell("smoke");
            clerk.tell("tea");
            test.runUntilIdle();
            assertEquals(List.of("begin", "begin", "tea"), log);
        });
    }

    @Test
    void anAssertionInAHandlerCanBeExpected() throws Exception {
        passes(test -> {
            test.expectFailure("checker", AssertionError.class);
            test.actor("checker")
                    .newActor((String m) -> assertEquals("good", m))
                    .tell("bad");
        });
    }

    @Test
    void injectedFaultsAreExpected() throws Exception {
        passes(test -> {
            Actor<String> disk = test.actor("disk").newActor(message -> {});
            test.faults().throwsAt(disk, 1, () -> new IOException("disk full"));
            disk.tell("debit");
        });
    }

    /** The actor that passes the injected exception on has a failure of its own. */
    @Test
    void anInjectedFaultIsExpectedInItsActorOnly() {
        assertContains("actor journal failed to handle debit", failureOf(test -> {
            ReplyActor<String, Boolean> disk = test.actor("disk").newActorWithReturn(message -> true);
            test.faults().throwsAt(disk, 1, () -> new IOException("disk full"));
            test.actor("journal")
                    .newActor((String line) -> {
                        if (!disk.call(line)) {
                            throw new IllegalStateException("not written");
                        }
                    })
                    .tell("debit");
        }));
    }

    @Test
    void hostileTextsAreEscaped() {
        String hostile = "\r\n\t\u001b[31m\u2028\u202e\0x";
        String text = failureOf(test -> test.actor("a" + hostile)
                .newActor((String m) -> {
                    throw new IOException("b" + hostile);
                })
                .tell("c" + hostile));
        assertEquals(2, text.lines().count());
        for (String part : List.of("\r", "\t", "\u001b", "\u2028", "\u202e", "\0")) {
            assertFalse(text.contains(part), text);
        }
        try (TestSystem test = TestSystem.create()) {
            test.actor("a" + hostile).newActor((String m) -> {}).tell("c" + hostile);
            test.runUntilIdle();
            String trace = String.join("", test.trace());
            assertTrue(trace.chars().noneMatch(c -> c < ' ' || c == '\u2028' || c == '\u202e'), trace);
        }
    }

    static class WithJUnit {
        @ActorTest(seeds = 5)
        void fails(TestSystem test) {
            failing(test).tell("debit");
        }

        @ActorTest(seeds = 5)
        void expects(TestSystem test) {
            test.expectFailure("disk", IOException.class);
            failing(test).tell("debit");
        }
    }

    @Test
    void anActorTestFails() {
        var summary = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(WithJUnit.class))
                                .build(),
                        summary);
        assertEquals(1, summary.getSummary().getTestsSucceededCount());
        assertEquals(1, summary.getSummary().getTestsFailedCount());
        String text =
                summary.getSummary().getFailures().getFirst().getException().getMessage();
        assertContains("actor disk failed to handle debit", text);
        assertContains("Repeat this run with @ActorTest(seed = 1)", text);
    }
}
