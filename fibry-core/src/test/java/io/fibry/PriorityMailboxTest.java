package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** Mailboxes with an order. */
class PriorityMailboxTest extends KernelTest {

    private record Job(int priority, String name) {}

    private final Gate gate = new Gate();
    private final List<String> handled = Collections.synchronizedList(new ArrayList<>());

    @AllStrategies
    void theSmallestIsHandledFirstAndEqualMessagesInFifoOrder(ThreadStrategy strategy) {
        var actor = atGate(actor(strategy).priority(Comparator.comparingInt(Job::priority)));
        actor.tell(new Job(2, "c"));
        actor.tell(new Job(1, "a"));
        actor.tell(new Job(2, "d"));
        actor.tell(new Job(1, "b"));
        assertEquals(4, actor.mailboxSize().orElseThrow());
        assertHandles(actor, "gate", "a", "b", "c", "d");
    }

    @AllStrategies
    void tasksComeBeforeMessages(ThreadStrategy strategy) {
        var actor = atGate(actor(strategy).priority(Comparator.comparingInt(Job::priority)));
        actor.tell(new Job(1, "a"));
        actor.execute(() -> handled.add("first task"));
        actor.execute(() -> handled.add("second task"));
        assertHandles(actor, "gate", "first task", "second task", "a");
    }

    @AllStrategies
    void aPriorityMailboxCanBeBounded(ThreadStrategy strategy) {
        var actor = atGate(
                actor(strategy).bounded(2, Overflow.DROP_NEWEST).priority(Comparator.comparingInt(Job::priority)));
        actor.tell(new Job(3, "c"));
        actor.tell(new Job(2, "b"));
        actor.tell(new Job(1, "dropped"));
        assertHandles(actor, "gate", "b", "c");
    }

    @AllStrategies
    void theSenderGetsAnExceptionOfTheComparator(ThreadStrategy strategy) {
        var actor = atGate(actor(strategy).priority(Comparator.comparing(Job::name)));
        actor.tell(new Job(1, "a"));
        assertThrows(NullPointerException.class, () -> actor.tell(new Job(1, null)));
        actor.tell(new Job(1, "b"));
        assertHandles(actor, "gate", "a", "b");
    }

    private Actor<Job> atGate(ActorBuilder<Job> builder) {
        Actor<Job> actor = builder.newActor((Job job) -> {
            if (job.name().equals("gate")) {
                gate.pass();
            }
            handled.add(job.name());
        });
        actor.tell(new Job(0, "gate"));
        gate.awaitReached();
        return actor;
    }

    private void assertHandles(Actor<Job> actor, String... names) {
        gate.open();
        actor.close();
        assertEquals(List.of(names), handled);
    }
}
