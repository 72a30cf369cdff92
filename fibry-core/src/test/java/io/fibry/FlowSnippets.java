package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.flow.FlowSubscriber;
import io.fibry.stereotypes.Stereotypes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.SubmissionPublisher;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code of the Javadoc of Flow, compiled and run. */
@Timeout(60)
class FlowSnippets {

    @AfterAll
    static void closeTheDefaultSystem() {
        ActorSystem.defaultSystem().close();
    }

    @Test
    void subscriber() {
        List<String> stored = new ArrayList<>();
        // @start region="subscriber"
        FlowSubscriber<String> store = Stereotypes.def().flowSubscriber(16, line -> stored.add(line));
        try (var lines = new SubmissionPublisher<String>()) {
            lines.subscribe(store);
            lines.submit("one");
            lines.submit("two");
        } // completes
        ActorExit exit = store.exit().join(); // after both lines
        // @end
        assertTrue(exit.isNormal());
        assertEquals(List.of("one", "two"), stored);
    }
}
