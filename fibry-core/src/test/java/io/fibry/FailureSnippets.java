package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.SupervisorSpec.Restart;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import io.fibry.testing.LogLines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The code of the Javadoc of failures, compiled and run. The Javadoc shows the marked regions. */
class FailureSnippets extends KernelTest {

    @Test
    void supervision() {
        try (var log = new LogLines()) {
            // @start region="supervision"
            Supervision policy = Supervision.restart()
                    .limit(3, Duration.ofMinutes(1)) // the fourth failure within a minute ends the actor
                    .backoff(Duration.ofMillis(10), Duration.ofSeconds(1))
                    .on(IllegalArgumentException.class, Supervision.resume()); // a bad message, not a bad state
            ReplyActor<String, Integer> counts = system.actor()
                    .supervision(policy)
                    .newActorWithReturnFrom(context -> {
                        Map<String, Integer> seen = new HashMap<>(); // fresh after each restart
                        return word -> seen.merge(word, 1, Integer::sum);
                    });
            // @end
            assertEquals(1, Await.value(counts.ask("a")));
            assertEquals(2, Await.value(counts.ask("a")));
            counts.execute(() -> {
                throw new IllegalStateException("broken");
            });
            assertEquals(1, Await.value(counts.ask("a")));
            assertEquals(1, log.with("ERROR", "failed").size(), log::text);
        }
    }

    @Test
    void supervisor() {
        List<String> stored = new ArrayList<>();
        // @start region="supervisor"
        Supervisor supervisor = system.actor("shop")
                .newSupervisor(SupervisorSpec.restForOne() // later children depend on earlier ones
                        .limit(5, Duration.ofSeconds(30))
                        .child("store", Restart.PERMANENT, child -> child.<String>newActorFrom(context -> stored::add))
                        .child(
                                "orders",
                                Restart.TRANSIENT,
                                child -> child.newActor((String order) ->
                                        system.<String>find("store").ifPresent(store -> store.tell(order)))));
        system.<String>find("orders").ifPresent(orders -> orders.tell("a pen"));
        supervisor.close(); // first the orders, then the store
        // @end
        assertEquals(List.of("a pen"), stored);
    }

    @Test
    void context() {
        var seen = new CompletableFuture<String>();
        // @start region="context"
        Actor<String> door = system.actor().newActorFrom(context -> message -> {
            switch (message) {
                case "wait" -> context.after(Duration.ofMillis(1), "open");
                case "open" -> {
                    context.become(next -> seen.complete(next)); // from now on
                    context.unstashAll();
                }
                default -> context.stash(); // not yet
            }
        });
        // @end
        door.tell("let me in");
        door.tell("wait");
        assertEquals("let me in", Await.value(seen));
    }
}
