package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorExit;
import io.fibry.ActorStoppedException;
import io.fibry.StopMode;
import io.fibry.StopPhase;
import io.fibry.Supervision;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.Dispatcher;
import io.fibry.dispatch.ScheduledActor;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * One name under the interleavings of small scenarios: it has one owner at a time, every message sent to it has one
 * end, and no entry outlives its owner.
 */
@Tag("model-check")
public final class NamesHandOverTest {

    private static final String NAME = "clerk";

    private static final LocalSystem SYSTEM = DetachedSystems.system();

    private final Queue<ActorCell<?>> ready = new ConcurrentLinkedQueue<>();
    private final AtomicInteger living = new AtomicInteger();
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger handled = new AtomicInteger();
    private final AtomicInteger dead = new AtomicInteger();

    private volatile boolean twoOwners;

    /** The actor of the last {@link #create}, before its start. */
    private volatile @Nullable ActorCell<?> newest;

    private final ActorKind kind = new ActorKind(
            SYSTEM,
            new Dispatcher() {
                @Override
                public void ready(ScheduledActor actor) {
                    ready.add(ActorCell.behind(actor));
                }
            },
            Supervision.resume());

    /** For Lincheck. */
    public NamesHandOverTest() {
        SYSTEM.onDeadLetter(letter -> dead.incrementAndGet());
    }

    @Operation
    public void tell() {
        try {
            address().tell("message");
            accepted.incrementAndGet();
        } catch (ActorStoppedException refused) {
            return;
        }
    }

    @Operation
    public void create() {
        var actor = new ConsumerCell<String>(kind, message -> handled.incrementAndGet());
        Consumer<ActorExit> atEnd = exit -> living.decrementAndGet();
        var options = new ActorOptions(null, StopPhase.ACTORS, null, atEnd, null);
        actor.setLifecycle(new Lifecycle(NAME, null, options, ActorMaker.mailbox(options.mailbox())));
        newest = actor;
        try {
            SYSTEM.start(actor);
        } catch (IllegalStateException taken) {
            return;
        }
        if (living.incrementAndGet() > 1) {
            twoOwners = true; // exceptions of an operation are irrelevant here
        }
    }

    @Operation
    public void stop() {
        address().stop(StopMode.DISCARD);
    }

    /** Acts like a close of the system, which may end an actor before its name is published. */
    @Operation
    public void stopRegistered() {
        ActorCell<?> actor = newest;
        if (actor != null && actor.lifecycle().next != null) {
            actor.stop(StopMode.DISCARD);
        }
    }

    @Operation
    public void turn() {
        ActorCell<?> actor = ready.poll();
        if (actor != null && actor.runTurn(new ActorThread(Thread.currentThread()), null)) {
            ready.add(actor);
        }
    }

    @Validate
    public void everyMessageHasOneEndAndTheNameIsFree() {
        address().stop();
        while (!ready.isEmpty()) {
            turn();
        }
        assertFalse(twoOwners);
        assertEquals(accepted.get(), handled.get() + dead.get());
        assertEquals(0, living.get());
        assertEquals(Optional.empty(), SYSTEM.find(NAME));
        assertTrue(SYSTEM.findOrExpect(NAME, 1) instanceof PlaceholderActor<?>);
    }

    private Actor<String> address() {
        return SYSTEM.findOrExpect(NAME, 10);
    }

    @Test
    void everyMessageHasOneEndUnderAnyInterleaving() {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(0)
                .actorsAfter(0)
                .iterations(5)
                .invocationsPerIteration(100)
                .addGuarantee(HandOver.PLAIN_TEXT)
                .verifier(EpsilonVerifier.class)
                .check(NamesHandOverTest.class);
    }
}
