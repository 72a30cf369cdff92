package io.fibry.observer;

import static io.fibry.testing.Hostile.TEXT;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.testing.Hostile;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page shows the texts of the JSON unchanged, so control characters are escaped before they become JSON. */
class HostilePageTest {

    /** An escape of JSON would bring the character to the page. A text has a backslash, which JSON doubles. */
    private static void assertPlainOnThePage(String json) {
        Hostile.assertPlain(json);
        assertTrue(json.contains("\\\\u202e"), json);
        assertFalse(json.replace("\\\\u", "").contains("\\u202e"), json);
    }

    @Test
    void textsOfAnObject() {
        assertPlainOnThePage(new Json().text("name", TEXT).toString());
        assertPlainOnThePage(
                new Json().array("names", List.of(TEXT), Json::quotedText).toString());
    }

    @Test
    void incidents() {
        try (ActorSystem system = ActorSystem.create()) {
            var incidents = new IncidentLog();
            AutoCloseable unused = system.onIncident(incidents);
            Actor<String> actor = system.actor(TEXT).newActor(m -> {
                throw new IllegalStateException("text" + TEXT);
            });
            actor.tell("a");
            actor.close();
            String json = incidents.after(0).toString();
            assertPlainOnThePage(json);
            assertTrue(json.contains("textx\\\\u000d"), json);
        }
    }
}
