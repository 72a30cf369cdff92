package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fibry.testing.AllStrategies;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;

/** Listeners for failures and dead letters. */
@Timeout(60)
class IncidentTest {

    private final List<Incident> seen = new CopyOnWriteArrayList<>();

    @AllStrategies
    void failuresAreReportedIncludingFailedAsks(ThreadStrategy strategy) {
        try (var system = ActorSystem.create(strategy)) {
            system.onIncident(seen::add);
            ReplyActor<String, String> actor = system.actor("till").newActorWithReturn(text -> {
                throw new IllegalStateException("no " + text);
            });
            assertThrows(CompletionException.class, () -> actor.ask("cash").join());
            actor.tell("change");
            actor.close();
        }
        assertEquals(List.of("no cash", "no change"), messages());
        Incident first = seen.getFirst();
        assertEquals(Incident.Kind.FAILURE, first.kind());
        assertEquals("till", first.actor());
        assertEquals(String.class, first.message());
    }

    private List<String> messages() {
        return seen.stream()
                .map(incident -> String.valueOf(incident.failure()).replaceFirst(".*: ", ""))
                .toList();
    }

    @AllStrategies
    void deadLettersAreReportedInAdditionToTheirHandler(ThreadStrategy strategy) {
        var handled = new CopyOnWriteArrayList<DeadLetter>();
        try (var system = ActorSystem.create(strategy)) {
            system.onDeadLetter(handled::add);
            system.onIncident(seen::add);
            var go = new CountDownLatch(1);
            Actor<Integer> actor = system.actor("slow").newActor(n -> go.await());
            actor.tell(1);
            actor.tell(2);
            actor.stop(StopMode.DISCARD);
            go.countDown();
            actor.waitForExit();
        }
        assertEquals(handled.size(), seen.size());
        Incident last = seen.getLast();
        assertEquals(Incident.Kind.DEAD_LETTER, last.kind());
        assertEquals(DeadLetter.Reason.STOPPED, last.reason());
        assertEquals(Integer.class, last.message());
    }

    @AllStrategies
    void aThrowingOrRemovedListenerHasNoEffect(ThreadStrategy strategy) throws Exception {
        try (var system = ActorSystem.create(strategy)) {
            AutoCloseable removed = system.onIncident(seen::add);
            system.onIncident(incident -> {
                throw new IllegalStateException("a broken listener");
            });
            fail(system);
            assertEquals(1, seen.size());
            removed.close();
            fail(system);
            assertEquals(1, seen.size());
        }
    }

    private static void fail(ActorSystem system) {
        ReplyActor<String, String> actor = system.actor().newActorWithReturn(text -> {
            throw new IllegalStateException("expected");
        });
        assertThrows(CompletionException.class, () -> actor.ask("x").join());
        actor.close();
    }
}
