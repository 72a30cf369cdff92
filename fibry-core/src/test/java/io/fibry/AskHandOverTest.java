package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.junit.jupiter.api.Test;

/**
 * Asks against turns, stops and askers that give up, under the interleavings of small scenarios: every ask of an actor that has
 * ended is complete, none that was handled fails as discarded, and every accepted message is counted once.
 */
public final class AskHandOverTest {

    private static final LocalSystem SYSTEM = new LocalSystem(ThreadStrategy.virtual());

    /** An ask, and whether it was handled. */
    private static final class Ask {
        private volatile boolean handled;
        private volatile CompletableFuture<Integer> reply;
    }

    private final AtomicInteger roles = new AtomicInteger();
    private final List<Ask> asks = new ArrayList<>();
    private final long droppedBefore = SYSTEM.counters().dropped();

    private final Dispatcher dispatcher = new Dispatcher() {
        @Override
        void ready(ActorCell<?> actor) {
            roles.incrementAndGet();
        }
    };

    private final FunctionCell.Plain<Ask, Integer> actor =
            new FunctionCell.Plain<>(new ActorKind(SYSTEM, dispatcher, Supervision.resume()), ask -> {
                assertFalse(ask.handled, "handled once");
                ask.handled = true;
                return 1;
            });

    @Operation
    public void ask() {
        var ask = new Ask();
        ask.reply = actor.ask(ask);
        synchronized (asks) {
            asks.add(ask);
        }
    }

    @Operation
    public void giveUp() {
        synchronized (asks) {
            if (!asks.isEmpty()) {
                asks.getFirst().reply.cancel(false);
            }
        }
    }

    @Operation
    public void drain() {
        actor.stop(StopMode.DRAIN);
    }

    @Operation
    public void discard() {
        actor.stop(StopMode.DISCARD);
    }

    @Operation
    public void turn() {
        if (roles.compareAndSet(1, 0)) {
            actor.runTurn(new Runner(Thread.currentThread()));
        }
    }

    @Validate
    public void everyAskHasOneEnd() {
        turn();
        assertEquals(actor.isClosed(), actor.hasEnded());
        long handled = 0;
        for (Ask ask : asks) {
            assertTrue(ask.reply.isDone());
            handled += ask.handled ? 1 : 0;
            boolean discarded = ask.reply.isCompletedExceptionally()
                    && !ask.reply.isCancelled()
                    && ask.reply.exceptionNow() instanceof ActorStoppedException;
            assertFalse(discarded && ask.handled, "a message that was handled was answered as discarded");
        }
        assertEquals(handled, actor.handled());
        assertTrue(SYSTEM.counters().dropped() - droppedBefore + handled <= asks.size());
    }

    @Test
    void everyAskHasOneEndWhateverTheInterleaving() {
        new ModelCheckingOptions()
                .threads(3)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(0)
                .iterations(4)
                .invocationsPerIteration(500)
                .verifier(EpsilonVerifier.class)
                .check(AskHandOverTest.class);
    }
}
