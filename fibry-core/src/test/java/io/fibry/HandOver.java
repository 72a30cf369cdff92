package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.fibry.dispatch.Dispatcher;
import io.fibry.dispatch.Runner;
import io.fibry.dispatch.Schedulable;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.jspecify.annotations.Nullable;

/**
 * One actor under the interleavings of small scenarios: its stops, and its turns, which run when the scenario says so. A
 * subclass makes the actor, says what is sent to it, and checks the end.
 */
public abstract class HandOver {

    static final LocalSystem SYSTEM = new LocalSystem(ThreadStrategy.virtual());

    static {
        SYSTEM.onDeadLetter(letter -> {}); // a log line has more steps than all the rest
    }

    /** The consumer's roles that are waiting for a thread; never more than one. */
    private final AtomicInteger roles = new AtomicInteger();

    private volatile @Nullable String broken;

    private final long droppedBefore = SYSTEM.counts().dropped.sum();

    final ActorKind kind = new ActorKind(
            SYSTEM,
            new Dispatcher() {
                @Override
                public void ready(Schedulable actor) {
                    roles.incrementAndGet();
                }
            },
            Supervision.resume());

    HandOver() {}

    abstract ActorCell<?> actor();

    /** Called by the one who runs the turn. */
    void turnBegins() {}

    @Operation
    public void drain() {
        actor().stop(StopMode.DRAIN);
    }

    @Operation
    public void discard() {
        actor().stop(StopMode.DISCARD);
    }

    @Operation
    public void turn() {
        int available = roles.get();
        expect(available <= 1, "one consumer's role");
        if (available == 1 && roles.compareAndSet(1, 0)) {
            turnBegins();
            actor().runTurn(new Runner(Thread.currentThread()), null);
        }
    }

    /** Notes what has to hold: what an operation or a behavior throws is nobody's business here. */
    final void expect(boolean holds, String what) {
        if (!holds) {
            broken = what;
        }
    }

    /** Has the last turn run; after it, an actor that was stopped has ended. */
    final void finish() {
        turn();
        assertNull(broken);
        assertEquals(actor().isClosed(), actor().hasEnded());
    }

    final long dropped() {
        return SYSTEM.counts().dropped.sum() - droppedBefore;
    }

    static ActorOptions mailbox(MailboxSpec mailbox) {
        return new ActorOptions(null, null, null, StopPhase.ACTORS, null, null, mailbox);
    }

    /** So many random scenarios, and so many interleavings of each. */
    static ModelCheckingOptions scenarios(int scenarios, int interleavings) {
        return new ModelCheckingOptions()
                .threads(3)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(0)
                .iterations(scenarios)
                .invocationsPerIteration(interleavings)
                .verifier(EpsilonVerifier.class);
    }
}
