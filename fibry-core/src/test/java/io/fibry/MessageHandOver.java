package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;

/**
 * The hand-over between senders, stoppers and the turns of one actor, under the interleavings of small scenarios: turns never
 * overlap, every accepted message is handled or a dead letter, none is accepted after the stop, and a stopped actor ends.
 *
 * <p>Seen to fail: {@link Mailbox#becomeIdle} that sets the word instead of comparing it; a turn that takes the mailbox for
 * empty and then looks whether it is closed, instead of the other way round; an offer that sees the idle state and does not
 * call {@link Mailbox#ready}.
 */
public abstract class MessageHandOver {

    private static final LocalSystem SYSTEM = new LocalSystem(ThreadStrategy.virtual());

    /** The consumer's roles that are waiting for a thread; never more than one. */
    private final AtomicInteger roles = new AtomicInteger();

    private final AtomicInteger inHandler = new AtomicInteger();
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger handled = new AtomicInteger();

    private final Dispatcher dispatcher = new Dispatcher() {
        @Override
        void ready(ActorCell<?> actor) {
            roles.incrementAndGet();
        }
    };

    private final ActorCell<String> actor =
            new ConsumerCell<>(new ActorKind(SYSTEM, dispatcher, Supervision.resume()), message -> {
                int now = inHandler.incrementAndGet();
                assertEquals(1, now, "one handler at a time");
                handled.incrementAndGet();
                inHandler.decrementAndGet();
            });

    MessageHandOver(ActorOptions options) {
        actor.setOptions(options);
    }

    @Operation
    public void tell() {
        try {
            actor.tell("message");
            accepted.incrementAndGet();
        } catch (ActorStoppedException refused) {
            assertTrue(actor.isClosed());
        } catch (MailboxFullException refused) {
            assertTrue(actor.room() != null, "only a mailbox with a limit can be full");
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
        int available = roles.get();
        assertTrue(available <= 1, "one consumer's role");
        if (available == 0 || !roles.compareAndSet(1, 0)) {
            return;
        }
        actor.runTurn(new Runner(Thread.currentThread()));
    }

    @Validate
    public void everyMessageHasOneEnd() {
        turn();
        Lifecycle lifecycle = actor.lifecycle();
        assertEquals(accepted.get(), handled.get() + lifecycle.discarded());
        assertEquals(actor.isClosed(), actor.hasEnded());
    }

    /** Checks a scenario under all interleavings that so many random scenarios have. */
    static void check(Class<? extends MessageHandOver> scenario, int scenarios) {
        new ModelCheckingOptions()
                .threads(3)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(0)
                .iterations(scenarios)
                .invocationsPerIteration(1_000)
                .verifier(EpsilonVerifier.class)
                .check(scenario);
    }
}
