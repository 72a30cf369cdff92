package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.CountingBehavior;
import io.fibry.testing.KernelTest;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A restart ends the watches of the old behavior, whose code would run on discarded state. */
class RestartWatchTest extends KernelTest {

    private final List<String> events = new CopyOnWriteArrayList<>();

    @AllStrategies(direct = true)
    void endsAreReportedToTheNewBehaviorOnly(ThreadStrategy strategy) {
        var lasting = actor(strategy).newSink(null);
        var forgotten = actor(strategy).newSink(null);
        var counting = new CountingBehavior();
        var actor = actor(strategy).supervision(Supervision.restart()).<Object>newActorFrom(context -> {
            int number = counting.begin();
            context.watch(lasting, exit -> events.add(number + " hears"));
            if (number == 1) {
                context.watch(forgotten, exit -> events.add("old news"));
            }
            return CountingBehavior::act;
        });
        actor.tell(new IllegalStateException("meant to fail"));
        Await.until("a second behavior", () -> counting.made() == 2);
        assertEquals(0, ActorCell.of(forgotten).lifecycle().watchers().count());
        forgotten.close();
        lasting.close();
        Await.until("it hears", () -> !events.isEmpty());
        actor.close();
        assertEquals(List.of("2 hears"), events);
    }
}
