package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** An exception of the comparator of a priority mailbox is thrown to the sender of the message only. */
class ComparatorTest extends KernelTest {

    private final Gate gate = new Gate();
    private final List<String> handled = Collections.synchronizedList(new ArrayList<>());

    private Actor<String> atGate(ThreadStrategy strategy, Comparator<String> order) {
        Actor<String> actor = actor(strategy).priority(order).newActor((String message) -> {
            if (message.equals("gate")) {
                gate.pass();
            } else {
                handled.add(message);
            }
        });
        actor.tell("gate");
        gate.awaitReached();
        return actor;
    }

    /** The message is compared with itself; otherwise the next sender would get the exception. */
    @AllStrategies
    void theExceptionIsThrownAlsoForAnEmptyMailbox(ThreadStrategy strategy) {
        var actor = atGate(strategy, Comparator.comparingInt(text -> text.equals("gate") ? 0 : Integer.parseInt(text)));
        assertThrows(NumberFormatException.class, () -> actor.tell("x"));
        actor.tell("2");
        actor.tell("1");
        gate.open();
        actor.close();
        assertEquals(List.of("1", "2"), handled);
    }

    /** The actor does not compare waiting messages. */
    @AllStrategies
    void theExceptionIsThrownAlsoForSomePairsOnly(ThreadStrategy strategy) {
        var actor = atGate(strategy, (a, b) -> {
            if ((a + b).equals("23") || (a + b).equals("32")) {
                throw new IllegalArgumentException("2 and 3 cannot be compared");
            }
            return a.compareTo(b);
        });
        actor.tell("1");
        actor.tell("2");
        assertThrows(IllegalArgumentException.class, () -> actor.tell("3"));
        actor.tell("0");
        gate.open();
        actor.close();
        assertEquals(List.of("0", "1", "2"), handled);
    }

    /** The consumer wakes one sender for the free place. */
    @AllStrategies
    void theExceptionOfASenderThatWaitsForRoomWakesTheNextSender(ThreadStrategy strategy) {
        Actor<String> actor = actor(strategy)
                .bounded(1, Overflow.BLOCK)
                .priority(Comparator.comparingInt((String text) -> Integer.parseInt(text)))
                .newActor((String message) -> {
                    if (message.equals("0")) {
                        gate.pass();
                    }
                    handled.add(message);
                });
        actor.tell("0");
        gate.awaitReached();
        actor.tell("1");
        CompletableFuture<Void> refused = tellAndWait(actor, "x");
        CompletableFuture<Void> accepted = tellAndWait(actor, "2");
        gate.open();
        assertInstanceOf(NumberFormatException.class, Await.failure(refused));
        Await.value(accepted);
        actor.close();
        assertEquals(List.of("0", "1", "2"), handled);
    }

    /** Sends from another thread, and returns when that thread waits for room. */
    private static CompletableFuture<Void> tellAndWait(Actor<String> actor, String message) {
        var sent = new CompletableFuture<Void>();
        Thread sender = Thread.ofPlatform().daemon().start(() -> {
            CompletableFuture<Void> unused = sent.completeAsync(
                    () -> {
                        actor.tell(message);
                        return null;
                    },
                    Runnable::run);
        });
        Await.untilBlocked(sender);
        return sent;
    }
}
