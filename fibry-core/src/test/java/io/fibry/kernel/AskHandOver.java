package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * Asks against turns, stops and askers that give up: every ask of an actor that has ended is complete, no handled ask
 * fails as discarded or dropped, and every accepted message is counted once.
 *
 * <p>Seen to fail: a turn that starts its second ask without recording it, so the stopper fails that ask too.
 */
public abstract class AskHandOver extends HandOver {

    /** An ask, and whether it was handled. */
    private static final class Ask {
        private volatile boolean handled;
        private volatile CompletableFuture<Integer> reply;
    }

    private final List<Ask> asks = new ArrayList<>();

    private final FunctionCell.Plain<Ask, Integer> actor = new FunctionCell.Plain<>(kind, ask -> {
        expect(!ask.handled, "handled twice");
        ask.handled = true;
        return 1;
    });

    AskHandOver(ActorOptions options) {
        actor.setLifecycle(new Lifecycle(null, null, options, ActorMaker.mailbox(options.mailbox())));
    }

    @Override
    final ActorCell<?> actor() {
        return actor;
    }

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

    @Validate
    public void everyAskHasOneEnd() {
        finish();
        long handled = 0;
        for (Ask ask : asks) {
            assertTrue(ask.reply.isDone());
            handled += ask.handled ? 1 : 0;
            boolean failed = ask.reply.isCompletedExceptionally() && !ask.reply.isCancelled();
            assertFalse(failed && ask.handled, "a message that was handled was answered as discarded or dropped");
        }
        assertEquals(handled, actor.handled());
        assertTrue(dropped() + handled <= asks.size());
    }
}
