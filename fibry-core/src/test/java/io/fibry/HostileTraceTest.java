package io.fibry;

import static io.fibry.testing.Hostile.TEXT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.dispatch.LogText;
import io.fibry.sockets.CauseLog;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import io.fibry.testing.LogLines;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Texts of clients in exceptions bring no control characters into the stack traces of the log. */
class HostileTraceTest extends KernelTest {

    private static Exception hostile() {
        var failure = new IllegalStateException("outer " + TEXT, new IllegalArgumentException("inner " + TEXT));
        failure.addSuppressed(new RuntimeException("suppressed " + TEXT));
        return failure;
    }

    private static String print(Throwable t) {
        var text = new StringWriter();
        t.printStackTrace(new PrintWriter(text, true));
        return text.toString();
    }

    /** All lines are those of a stack trace, or begin with text of the library. */
    private static void assertNoForgery(String text, String... parts) {
        for (String part : parts) {
            assertTrue(text.contains(part + " x\\u000d\\u000a\\u0009\\u001b"), text);
        }
        for (String c : List.of("\r", "\u001b", "\u2028", "\u202e", "\0", "\u0085")) {
            assertFalse(text.contains(c), text);
        }
    }

    @Test
    void aCopyHasPlainTextsAndTheSameStackTraces() {
        Exception hostile = hostile();
        Throwable plain = LogText.plainTrace(hostile);
        assertNoForgery(print(plain), "outer", "inner", "suppressed");
        assertArrayEquals(hostile.getStackTrace(), plain.getStackTrace());
        assertArrayEquals(hostile.getCause().getStackTrace(), plain.getCause().getStackTrace());
        assertEquals(LogText.plain(hostile), plain.toString());
        assertEquals(LogText.plain(hostile), plain.getMessage()); // some loggers print it after the copy's class
    }

    @Test
    void aHostileTextMayBeAnywhere() {
        Throwable deep = new IllegalStateException("fine", new RuntimeException((String) null, hostile()));
        assertNoForgery(print(LogText.plainTrace(deep)), "outer", "inner", "suppressed");
        var suppressing = new IllegalStateException("fine");
        suppressing.addSuppressed(hostile());
        assertNoForgery(print(LogText.plainTrace(suppressing)), "outer", "inner", "suppressed");
    }

    @Test
    void anOrdinaryThrowableStays() {
        var failure = new IllegalStateException("caf\u00e9", new RuntimeException());
        failure.addSuppressed(new RuntimeException("fine"));
        assertSame(failure, LogText.plainTrace(failure));
        var error = new OutOfMemoryError();
        assertSame(error, LogText.plainTrace(error));
    }

    @Test
    void causesMayBeCyclic() {
        var a = new IllegalStateException("a");
        var b = new IllegalStateException("b", a);
        a.initCause(b);
        assertSame(a, LogText.plainTrace(a));
        var c = new IllegalStateException("outer " + TEXT);
        c.initCause(new RuntimeException("fine", c));
        assertNoForgery(print(LogText.plainTrace(c)), "outer");
    }

    @Test
    void anActor() {
        try (var log = new LogLines()) {
            Actor<String> actor = system.actor("clerk").newActor(m -> {
                throw hostile();
            });
            actor.tell("fail");
            actor.close();
            Await.until("the failure is logged", () -> !log.with("inner").isEmpty());
            assertNoForgery(log.text(), "outer", "inner", "suppressed");
        }
    }

    @Test
    void aHandlerOfAServer() {
        try (var log = new LogLines()) {
            new CauseLog(LoggerFactory.getLogger(HostileTraceTest.class)).error("http has failed", hostile());
            assertNoForgery(log.text(), "outer", "inner", "suppressed");
        }
    }
}
