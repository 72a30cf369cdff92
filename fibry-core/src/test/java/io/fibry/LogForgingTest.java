package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.dispatch.LogText;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import io.fibry.testing.LogLines;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Names of actors begin no line of the log or of a dump, and bring no control characters into it. */
class LogForgingTest extends KernelTest {

    private static final List<String> HOSTILE = List.of(
            "\r",
            "\n",
            "\u001b[31m",
            "\u2028",
            "\u2029",
            "\0",
            "\u0085",
            "\ufeff",
            "\u202e",
            "\u2066",
            "\ud800",
            "\udfff");

    private static final String FORGED = "[main] ERROR forged";

    @Test
    void plainTextHasNoHostileCharacters() {
        for (String hostile : HOSTILE) {
            assertFalse(LogText.plain("a" + hostile + "b").contains(hostile.substring(0, 1)));
        }
        assertEquals("a\\u000ab\\ud800c\\u202e", LogText.plain("a\nb\ud800c\u202e"));
        String harmless = "GET /caf\u00e9/\u6771\u4eac?x=\ud83d\ude00 'a' \"b\" \\u000a";
        assertEquals(harmless, LogText.plain(harmless));
    }

    @Test
    void aNameCannotForgeALogLine() {
        for (String hostile : HOSTILE) {
            String name = "clerk" + hostile + FORGED;
            try (var log = new LogLines()) {
                Actor<String> actor = system.actor(name).newActor(m -> {
                    throw new IllegalStateException("fails");
                });
                actor.tell("fail");
                actor.close();
                Await.until(
                        "the failure is logged",
                        () -> !log.with("Actor clerk", FORGED).isEmpty());
                assertNoForgedLine(hostile, log.text());
            }
            system.actor(name).newActor(m -> {});
            assertNoForgedLine(hostile, system.dump().toString());
            ActorInfo info = system.actors()
                    .filter(actor -> actor.name().equals(name))
                    .findFirst()
                    .orElseThrow();
            assertNoForgedLine(hostile, info.toString());
        }
    }

    private static void assertNoForgedLine(String hostile, String text) {
        assertTrue(text.lines().noneMatch(line -> line.startsWith(FORGED)), text);
        if (!hostile.equals("\n")) {
            assertFalse(text.contains(hostile), text);
        }
    }
}
