package io.fibry.test;

import io.fibry.ActorSystem;
import io.fibry.Incident;
import io.fibry.dispatch.Alarm;
import io.fibry.dispatch.Control;
import io.fibry.dispatch.ControlledDispatcher;
import io.fibry.dispatch.Schedulable;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of a test. Its threads run one at a time: the {@link Fiber} with the baton. At each point where order is open, the
 * {@link Chooser} decides which {@link Strand} is next.
 *
 * <p><b>Why this finds what real threads do.</b> Actors share nothing but messages, stops and time, and each of these goes through here: a
 * thread gives others the chance to run before it sends, replies or stops, and whenever it waits. What a handler does
 * between two of these points others do not see, if it shares no other memory with them. So each order in which real threads could meet
 * is one in which the strands can.
 *
 * <p><b>Why it can be repeated.</b> Nothing here depends on a clock, on the identity of an object, or on a thread of the machine. So equal
 * choices lead to equal runs.
 *
 * <p>When the run is over, every thread that is still somewhere is resumed, one after the other, and gets an {@link Control.Over} there.
 */
final class Simulation extends Control {

    /** A run with more choices is taken for one that never ends. */
    static final int MOST_STEPS = 1_000_000;

    /** The name of the test, for exceptions. */
    private final String owner;

    private final Trace trace;
    private final VirtualClock clock;
    private final Faults faults;
    private final Strands strands;
    private final Choices choices;
    private final Strand test;
    private final Deque<Fiber> idle = new ArrayDeque<>();
    private final List<AutoCloseable> systems = new ArrayList<>();

    /** What runs now. Read by the {@link Watch} too, as are the next three. */
    private volatile Strand current;

    private volatile int steps;
    private volatile @Nullable Throwable failure;
    private volatile boolean over;

    /** Whether the test has given its thread back. Nothing runs after that. */
    private volatile boolean ended;

    Simulation(String owner, Chooser chooser, Trace trace, Instant start) {
        this.owner = owner;
        this.trace = trace;
        clock = new VirtualClock(start);
        faults = new Faults(chooser);
        strands = new Strands(chooser);
        test = strands.add("the test", null);
        choices = new Choices(chooser, trace, clock, strands, test);
        current = test;
    }

    // ---- the test itself

    /** Puts the calling thread under this control, as that of the test. */
    void begin() {
        test.fiber = Fiber.ofTest(this);
    }

    Faults faults() {
        return faults;
    }

    Trace trace() {
        return trace;
    }

    boolean isTestThread() {
        return Control.ofCurrentThread() == this && current == test;
    }

    /** Runs what is ready, and what comes due until that time, until nothing moves any more. By the test. */
    void runUntilIdle(long until) {
        trace.waits(test, "nothing more to happen");
        choices.testWaitsUntilIdle(until);
        runOthersUntilChosen(test);
        clock.goOnTo(until);
    }

    /** Closes what the test has left open, and checks that nothing waits for ever. By the test. */
    void closeSystems() throws Exception {
        runUntilIdle(clock.now());
        if (choices.someWaitForEver()) {
            throw deadlock();
        }
        for (AutoCloseable system : List.copyOf(systems)) {
            system.close();
        }
    }

    /** Ends all other threads. By the thread of the test. Returns what made the run fail, or null. */
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

    /** The run has failed. The first failure counts. Any thread. */
    void fail(Throwable t) {
        if (failure == null) {
            failure = t;
        }
        over = true;
    }

    private AssertionError deadlock() {
        return new AssertionError("everybody waits: " + choices);
    }

    // ---- for the watch

    boolean isOver() {
        return over;
    }

    int steps() {
        return steps;
    }

    Strand current() {
        return current;
    }

    boolean isTest(Strand strand) {
        return strand == test;
    }

    // ---- the threads

    /** The work of all threads but that of the test. */
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
        Objects.requireNonNullElseGet(nextToEnd(), () -> thread(test)).resume();
    }

    private void runOne(Fiber fiber) {
        Strand strand = Objects.requireNonNull(fiber.strand);
        boolean more;
        try {
            more = strand.run(fiber);
        } finally {
            strand.fiber = null;
            Thread.interrupted(); // meant for what ran, and for nothing else
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

    /** A thread that has yet to end, after the end of the run. */
    private @Nullable Fiber nextToEnd() {
        Strand stopped = choices.takeStopped();
        return stopped != null ? stopped.fiber : idle.poll();
    }

    /** The calling thread's strand has been put where it is found again. */
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

    /** The test learns why it ends. All others end without a word. */
    private void throwIfOver(Strand mine) {
        if (over) {
            Throwable t = failure;
            if (mine != test || t == null) {
                throw new Over();
            }
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
    public void start(Alarm alarm, long nanos, Runnable action) {
        clock.set(alarm, nanos, action);
    }

    // ---- called by the kernel: order

    @Override
    public void fork(String name, Runnable code) {
        choices.ready(strands.add(name, Strand.Work.of(code)));
    }

    @Override
    public void ready(Schedulable actor, ControlledDispatcher dispatcher) {
        if (ended) { // a later test, or another thread, uses an actor that the end of the test has not stopped
            throw new IllegalStateException(
                    "actor " + actor.name() + " has ended" + endedBy() + "; make actors in a system of this test");
        }
        if (Control.ofCurrentThread() != this) {
            fail(new AssertionError("the thread " + Thread.currentThread().getName()
                    + ", which is none of the test's, has sent something to " + actor.name()
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
    public void handles(Schedulable actor, Object message, @Nullable Object sender) {
        trace.handles(current, message, sender);
    }

    @Override
    public @Nullable Throwable fault(Schedulable actor) {
        return faults.next(actor);
    }

    @Override
    public boolean findsFull(Schedulable actor) {
        return faults.findsFull(actor);
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
    public void refuse(String what) {
        throw new UnsupportedOperationException(
                "a test has no " + what + ": it would depend on real time and other threads."
                        + " Call what is behind it, or test with a plain ActorSystem, outside a TestSystem");
    }

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

    /** An assertion of the test may be in a handler, whose failure would only be logged. */
    private void happened(Incident incident) {
        Throwable t = incident.failure();
        if (t != null) {
            trace.fails(current, t);
            if (t instanceof AssertionError) {
                fail(t);
            }
        }
    }
}
