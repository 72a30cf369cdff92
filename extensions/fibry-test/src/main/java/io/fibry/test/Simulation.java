package io.fibry.test;

import io.fibry.ActorSystem;
import io.fibry.dispatch.Alarm;
import io.fibry.dispatch.Control;
import io.fibry.dispatch.ControlledDispatcher;
import io.fibry.dispatch.ScheduledActor;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of a test. Only one of its threads runs at a time, the {@link Fiber} with the baton. At each point where the
 * order is not determined, the {@link Chooser} selects the next {@link Strand}.
 *
 * <p><b>Completeness.</b> Actors interact only by messages, stops and time, and this class controls all of them: a
 * thread allows a switch before it sends, replies or stops, and whenever it waits. The actions of a handler between two
 * of these points are invisible to other actors, unless they share other memory. Therefore each order of interactions
 * that is possible with real threads is possible with strands.
 *
 * <p><b>Repeatability.</b> A run does not depend on a clock, on the identity of an object, or on a thread of the
 * machine. Equal choices therefore lead to equal runs.
 *
 * <p>At the end of the run, all suspended threads are resumed one after the other, and terminate with
 * {@link Control.Over}.
 */
final class Simulation extends FailureControl {

    /** The limit of choices. A run that exceeds it is assumed not to terminate. */
    static final int MOST_STEPS = 1_000_000;

    /** The name of the test, for exceptions. */
    private final String owner;

    private final Trace trace;
    private final VirtualClock clock;
    private final Strands strands;
    private final Choices choices;
    private final Strand test;
    private final Deque<Fiber> idle = new ArrayDeque<>();
    private final List<AutoCloseable> systems = new ArrayList<>();

    /** The current strand. The {@link StallWatch} also reads this field and the next three. */
    private volatile Strand current;

    private volatile int steps;
    private volatile @Nullable Throwable failure;
    private volatile boolean over;

    /** Whether a call of the test has thrown the failure. Of the thread of the test. */
    private boolean thrown;

    /** Whether the test has released its thread. No strand runs after that. */
    private volatile boolean ended;

    Simulation(String owner, Chooser chooser, Trace trace, Instant start) {
        super(new Faults(chooser), trace);
        this.owner = owner;
        this.trace = trace;
        clock = new VirtualClock(start);
        strands = new Strands(chooser);
        test = strands.add("the test", null);
        choices = new Choices(chooser, trace, clock, strands, test, suspended());
        current = test;
    }

    // ---- the test itself

    /** Puts the calling thread under this control, as the thread of the test. */
    void begin() {
        test.fiber = Fiber.ofTest(this);
    }

    /** Whether a call of the test has thrown the failure of the run. */
    boolean hasThrown() {
        return thrown;
    }

    boolean isTestThread() {
        return Control.ofCurrentThread() == this && current == test;
    }

    /** Runs all ready strands and all alarms up to the given time, until the simulation is idle. Called by the test. */
    void runUntilIdle(long until) {
        trace.waits(test, "nothing more to happen");
        choices.testWaitsUntilIdle(until);
        runOthersUntilChosen(test);
        clock.goOnTo(until);
    }

    /**
     * Closes the systems that the test has left open, and checks that no strand waits endlessly. Called by the test.
     */
    void closeSystems() throws Exception {
        runUntilIdle(clock.now());
        if (choices.someWaitForEver()) {
            throw deadlock();
        }
        for (AutoCloseable system : List.copyOf(systems)) {
            system.close();
        }
        expected().check();
    }

    /** Ends all other threads. Called by the thread of the test. Returns the failure of the run, or null. */
    @Nullable
    Throwable end() {
        if (!over && !choices.areAllDone()) {
            fail(new AssertionError("at the end of the test, these have not ended: " + choices));
        }
        over = true;
        Fiber next = nextToEnd();
        if (next != null) {
            Fiber mine = thread(test);
            mine.giveUpBaton();
            next.resume();
            mine.awaitBaton();
        }
        ended = true;
        return failure;
    }

    @Override
    void fail(Throwable t) {
        if (failure == null) {
            failure = t;
        }
        over = true;
    }

    private AssertionError deadlock() {
        return new AssertionError("everybody waits: " + choices);
    }

    /**
     * Ends the wait of the test for a thread that is stuck and cannot be interrupted. That thread keeps its strand, and
     * does nothing more if it comes back. The run has failed before. By the watch, once.
     */
    void abandon() {
        Fiber stuck = current.fiber;
        if (stuck != null && current != test) {
            stuck.abandoned = true;
            thread(test).resume();
        }
    }

    // ---- for the watch

    @Override
    boolean isOver() {
        return over;
    }

    int steps() {
        return steps;
    }

    @Override
    Strand current() {
        return current;
    }

    boolean isTest(Strand strand) {
        return strand == test;
    }

    // ---- the threads

    /** The main loop of all threads except the thread of the test. */
    void work(Fiber fiber) {
        while (!over) {
            try {
                runOne(fiber);
                goOnWithNext(fiber);
            } catch (Over e) {
                over = true;
            } catch (Throwable t) {
                fail(t);
            }
        }
        if (!fiber.abandoned) {
            Objects.requireNonNullElseGet(nextToEnd(), () -> thread(test)).resume();
        }
    }

    private void runOne(Fiber fiber) {
        Strand strand = Objects.requireNonNull(fiber.strand);
        boolean more;
        try {
            more = strand.run(fiber);
        } finally {
            strand.fiber = null;
            Thread.interrupted(); // an interrupt applies to the completed strand only
        }
        if (more) {
            choices.ready(strand);
        }
    }

    private void goOnWithNext(Fiber fiber) {
        Strand next = next(null);
        if (next.fiber == null) {
            begin(next, fiber);
            return;
        }
        idle.push(fiber);
        fiber.giveUpBaton();
        current = next;
        thread(next).resume();
        fiber.awaitBaton();
    }

    private void begin(Strand strand, Fiber on) {
        strand.fiber = on;
        on.strand = strand;
        current = strand;
    }

    private static Fiber thread(Strand strand) {
        return Objects.requireNonNull(strand.fiber);
    }

    /** Returns a thread that has not ended yet, after the end of the run. */
    private @Nullable Fiber nextToEnd() {
        Strand stopped = choices.takeStopped();
        return stopped != null ? stopped.fiber : idle.poll();
    }

    /**
     * Runs other strands until the calling thread's strand is chosen. The caller has registered its strand as waiting.
     */
    private void runOthersUntilChosen(Strand mine) {
        runOthers(mine, next(null));
        mine.waitsNoMore();
    }

    private void runOthers(Strand mine, Strand next) {
        if (next != mine) {
            Fiber fiber = thread(mine);
            Fiber other = next.fiber;
            boolean isNew = other == null && idle.isEmpty();
            if (other == null) {
                other = isNew ? new Fiber(this) : idle.pop();
                begin(next, other);
            }
            fiber.giveUpBaton();
            current = next;
            if (isNew) {
                other.start();
            } else {
                other.resume();
            }
            fiber.awaitBaton();
            current = mine;
        }
        throwIfOver(mine);
    }

    private Strand next(@Nullable Strand self) {
        throwIfOver(current);
        int step = steps + 1;
        steps = step;
        if (step > MOST_STEPS) {
            fail(new AssertionError("the run has not ended after " + MOST_STEPS
                    + " steps: actors send each other messages"
                    + " without end, or wait for something by looking again and again; " + current + " runs now"));
            throwIfOver(current);
        }
        Strand next = choices.next(self);
        if (next == null) {
            fail(deadlock());
            throwIfOver(current);
        }
        return Objects.requireNonNull(next);
    }

    /** Ends the calling strand if the run is over. The test receives the failure; all other strands end silently. */
    private void throwIfOver(Strand mine) {
        if (over) {
            Throwable t = failure;
            if (mine != test || t == null) {
                throw new Over();
            }
            thrown = true;
            throw t instanceof Error e ? e : new AssertionError("an action of the library has failed", t);
        }
    }

    // ---- called by the kernel: time

    @Override
    public long nanoTime() {
        return clock.now();
    }

    @Override
    public Instant instant() {
        return clock.instant();
    }

    @Override
    public void start(Alarm alarm, long nanos) {
        clock.set(alarm, nanos);
    }

    // ---- called by the kernel: order

    @Override
    public void fork(String name, Runnable code) {
        choices.ready(strands.add(name, Strand.Work.of(code)));
    }

    @Override
    public void ready(ScheduledActor actor, ControlledDispatcher dispatcher) {
        if (ended) { // a later test or another thread uses an actor of the ended test
            throw new IllegalStateException("actor " + Trace.plain(actor.name()) + " has ended" + endedBy()
                    + "; make actors in a system of this test");
        }
        if (Control.ofCurrentThread() != this) {
            fail(new AssertionError("the thread " + Thread.currentThread().getName()
                    + ", which is none of the test's, has sent something to " + Trace.plain(actor.name())
                    + "; let an actor do its work, or test with a plain ActorSystem"));
        } else if (!over) {
            choices.ready(strands.of(actor, dispatcher));
        }
    }

    @Override
    public void beforeStep() {
        if (over || !choices.areOpen()) {
            return;
        }
        Strand mine = current;
        Strand next = next(mine);
        if (next != mine) {
            trace.makesWay(mine);
            choices.ready(mine);
            runOthers(mine, next);
        }
    }

    @Override
    public Object beforeSend() {
        Strand sender = current;
        beforeStep();
        return sender;
    }

    @Override
    public void handles(ScheduledActor actor, Object message, @Nullable Object sender) {
        trace.handles(current, message, sender);
    }

    @Override
    String nameInTrace(ScheduledActor actor) {
        return strands.name(actor);
    }

    @Override
    public void await(BooleanSupplier condition, long nanos, boolean interruptible, Object what) {
        Strand mine = current;
        throwIfOver(mine);
        if (condition.getAsBoolean()) {
            return;
        }
        long until = clock.now() + nanos;
        String description = strands.describe(what);
        trace.waits(mine, description);
        mine.waits(condition, until < 0 ? Long.MAX_VALUE : until, interruptible, description);
        choices.waits(mine);
        runOthersUntilChosen(mine);
    }

    // ---- called by the kernel: systems

    @Override
    public void opened(AutoCloseable system) {
        systems.add(system);
        if (system instanceof ActorSystem actorSystem) {
            AutoCloseable unused = actorSystem.onIncident(this::happened);
        }
    }

    @Override
    public String toString() {
        return owner;
    }

    @Override
    public String endedBy() {
        return ended ? " by the end of the TestSystem of " + owner : "";
    }
}
