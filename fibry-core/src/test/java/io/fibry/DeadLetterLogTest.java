package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.LogLines;
import org.junit.jupiter.api.Test;

/** Every dead letter is in the count of some line, though most have no line of their own. */
class DeadLetterLogTest extends KernelTest {

    @Test
    void theEndOfTheSystemLogsTheRemainingCount() {
        try (var log = new LogLines()) {
            var gate = new Gate();
            var actor = system.actor("clerk").newActor((Integer n) -> gate.pass());
            actor.tell(0);
            gate.awaitReached();
            for (int n = 1; n <= 5; n++) {
                actor.tell(n);
            }
            actor.stop(StopMode.DISCARD);
            gate.open();
            Await.end(actor);
            system.close();
            long told = log.with("dead letters since").stream()
                    .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
            assertEquals(5, told, log::text);
        }
    }
}
