package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.Stats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The time limit of an ask includes the wait for room in a full mailbox. */
class WaitForRoomTest extends KernelTest {

    private final Gate gate = new Gate();
    private final List<Integer> handled = Collections.synchronizedList(new ArrayList<>());

    /** Replies with the message; handles one message while another one waits. */
    private ReplyActor<Integer, Integer> full(ThreadStrategy strategy) {
        ReplyActor<Integer, Integer> actor = actor(strategy)
                .bounded(1, Overflow.BLOCK)
                .newActorWithReturn((Integer n) -> {
                    gate.pass();
                    handled.add(n);
                    return n;
                });
        actor.tell(0);
        gate.awaitReached();
        actor.tell(1);
        return actor;
    }

    @AllStrategies
    void anAskWithoutRoomWithinItsLimitFailsAndIsNotSent(ThreadStrategy strategy) {
        var actor = full(strategy);
        var asked = actor.ask(2, Duration.ofMillis(1));
        var e = assertInstanceOf(AskTimeoutException.class, Await.failure(asked));
        assertEquals(-1, e.position());
        assertTrue(e.getMessage().contains("waits for room"), e::getMessage);
        gate.open();
        actor.close();
        assertEquals(List.of(0, 1), handled);
        Await.until("all are counted", () -> system.stats().sent() == 3);
        assertEquals(Stats.ofSent(2, 0, 1, 0), system.stats());
    }

    @AllStrategies
    void anAskWithRoomWithinItsLimitIsAnswered(ThreadStrategy strategy) {
        var actor = full(strategy);
        var answer = new CompletableFuture<Integer>();
        var sender = Thread.ofVirtual().start(() -> answer.complete(Await.value(actor.ask(2, Duration.ofDays(1)))));
        Await.untilBlocked(sender);
        gate.open();
        assertEquals(2, Await.value(answer));
        assertEquals(List.of(0, 1, 2), handled);
    }

    /** An ask that times out leaves the room to the next. */
    @AllStrategies
    void theOtherWaitersContinueToWait(ThreadStrategy strategy) {
        var actor = full(strategy);
        List<Thread> senders = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            senders.add(Thread.ofVirtual().start(() -> Await.failure(actor.ask(-1, Duration.ofMillis(1)))));
            senders.add(Thread.ofVirtual().start(() -> actor.tell(2)));
        }
        for (int i = 0; i < senders.size(); i += 2) {
            Await.thread(senders.get(i));
        }
        gate.open();
        senders.forEach(Await::thread);
        actor.close();
        assertEquals(List.of(0, 1, 2, 2, 2, 2, 2), handled);
    }
}
