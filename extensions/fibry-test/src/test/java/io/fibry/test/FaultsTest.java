package io.fibry.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorStoppedException;
import io.fibry.MailboxFullException;
import io.fibry.Overflow;
import io.fibry.ReplyActor;
import io.fibry.StopMode;
import io.fibry.Supervision;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class FaultsTest {

    @Test
    void aHandlerThrowsAtItsNthMessage() {
        try (TestSystem test = TestSystem.create()) {
            ReplyActor<Integer, Integer> disk = test.actor("disk").newActorWithReturn(n -> n);
            test.faults().throwsAt(disk, 2, () -> new IOException("disk full"));
            assertEquals(1, disk.ask(1).join());
            CompletionException failed =
                    assertThrows(CompletionException.class, () -> disk.ask(2).join());
            assertEquals("disk full", failed.getCause().getMessage());
            assertEquals(3, disk.ask(3).join());
        }
    }

    @Test
    void theSeedDrawsTheMessage() {
        Set<Integer> failed = new HashSet<>();
        Schedules.random(300).check(test -> {
            ReplyActor<Integer, Integer> disk = test.actor("disk").newActorWithReturn(n -> n);
            test.faults().mayThrow(disk, () -> new IOException("disk full"));
            for (int i = 1; i <= 3; i++) {
                try {
                    disk.ask(i).join();
                } catch (CompletionException e) {
                    failed.add(i);
                }
            }
        });
        assertEquals(Set.of(1, 2, 3), failed);
    }

    @Test
    void aMailboxIsFull() {
        try (TestSystem test = TestSystem.create()) {
            List<String> log = new ArrayList<>();
            Actor<String> small =
                    test.actor("small").bounded(100, Overflow.FAIL).newActor(log::add);
            test.faults().isFullAt(small, 2);
            small.tell("a");
            assertThrows(MailboxFullException.class, () -> small.tell("b"));
            assertTrue(small.tryTell("c"));
            test.runUntilIdle();
            assertEquals(List.of("a", "c"), log);
        }
    }

    @Test
    void anActorIsStoppedBetweenTwoMessages() {
        Set<Integer> handled = new HashSet<>();
        Schedules.random(500).check(test -> {
            int[] count = {0};
            Actor<Integer> actor = test.actor("actor").newActor(n -> count[0]++);
            test.faults().mayStop(actor, StopMode.DISCARD);
            try {
                for (int i = 1; i <= 3; i++) {
                    actor.tell(i);
                }
            } catch (ActorStoppedException e) {
                assertTrue(actor.exit().isDone() || count[0] < 3);
            }
            test.runUntilIdle();
            handled.add(count[0]);
        });
        assertEquals(Set.of(0, 1, 2, 3), handled);
    }

    @Test
    void anActorIsRestartedBetweenTwoMessages() {
        Set<String> seen = new HashSet<>();
        Schedules.random(500).check(test -> {
            var log = new StringBuilder();
            Actor<Integer> actor = test.actor("actor")
                    .supervision(Supervision.restart())
                    .newActorFrom(context -> {
                        log.append('*');
                        return log::append;
                    });
            test.faults().mayFail(actor);
            actor.tell(1);
            actor.tell(2);
            test.runUntilIdle();
            seen.add(log.toString());
        });
        assertEquals(Set.of("*12", "**12", "*1*2", "*12*"), seen);
    }

    @Test
    void aFailureOfAStoppedActorHasNoEffect() {
        Schedules.random(200).check(test -> {
            Actor<Integer> stopped = test.actor("stopped").newActor(n -> {});
            stopped.stop();
            test.faults().mayFail(stopped);
            test.runUntilIdle();
        });
    }

    @Test
    void aFailureThatAFullMailboxRefusesHasNoEffect() {
        Schedules.random(200).check(test -> {
            Actor<Integer> full = test.actor("full").bounded(1, Overflow.FAIL).newActor(n -> {});
            test.faults().mayFail(full);
            boolean unused = full.tryTell(1); // false if the failure takes the only place
            test.runUntilIdle();
        });
    }

    @Test
    void numbersBeginWithOne() {
        try (TestSystem test = TestSystem.create()) {
            Actor<Integer> actor = test.actor("actor").newActor(n -> {});
            assertThrows(IllegalArgumentException.class, () -> test.faults().throwsAt(actor, 0, IOException::new));
            assertThrows(IllegalArgumentException.class, () -> test.faults().isFullAt(actor, 0));
        }
    }
}
