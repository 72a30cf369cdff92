package io.fibry.test;

import static java.util.Objects.requireNonNull;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorSystem;
import io.fibry.dispatch.Control;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * An actor system for a test, with virtual time. Its actors run one at a time, and only while the test waits: for a
 * reply, for the end of an actor, for a {@link Probe}, or in {@link #advance}. A test therefore behaves in the same way
 * in each run.
 *
 * {@snippet class = "TestSnippets" region = "virtualTime"}
 *
 * <p><b>Time</b> stands still while the test or an actor runs. It advances by {@link #advance}; when the test waits and
 * nothing else can run, it advances to the next alarm. Timers, pauses, schedules, timeouts of asks, backoffs and the
 * deadlines of {@code close} use this time, and so do timeouts of futures that depend on an ask. A test that covers an
 * hour takes a few milliseconds.
 *
 * <p><b>Scope.</b> The test system controls its actors, and the thread of the test from {@link #create} to
 * {@link #close}. Calls of {@link ActorSystem#create} within this scope create further systems of the same test, and
 * {@link ActorSystem#defaultSystem} also returns a system of the test. All of these systems ignore the
 * {@link io.fibry.ThreadStrategy} of their actors, and end with the test.
 *
 * <p><b>End.</b> On the JUnit Platform, a test system is closed at the end of the test method or test class that has
 * created it; if it is still open, an error is logged. A later use of its actors or systems throws an exception that
 * contains the name of this test. With other test frameworks, always call {@link #close}.
 *
 * <p><b>Restrictions.</b> Servers and other sockets are refused. A thread of the program that sends to an actor of the
 * test fails the test. {@link Thread#sleep}, and locks that are held by a waiting handler, fail the test if they are
 * detected; {@link io.fibry.ActorContext#pause} replaces the former. {@link System#nanoTime} and the JDK's clocks
 * return real time, which is not detected.
 *
 * <p>A test with many schedules gets its system from {@link ActorTest} or {@link Schedules}.
 */
public final class TestSystem implements AutoCloseable {

    private static final Instant START = Instant.parse("2000-01-01T00:00:00Z");

    /** The largest time in nanoseconds. The next one stands for an alarm that is not set. */
    private static final long LAST_TIME = Long.MAX_VALUE - 1;

    private final Simulation simulation;
    private final ActorSystem system;
    private final Thread.@Nullable UncaughtExceptionHandler before;
    private final boolean ownsThread;
    private final @Nullable StallWatch watch;
    private boolean closed;

    private TestSystem(Simulation simulation, boolean ownsThread) {
        this.simulation = simulation;
        this.ownsThread = ownsThread;
        watch = ownsThread ? StallWatch.begin(false, how -> simulation.abandon()) : null;
        before = Thread.currentThread().getUncaughtExceptionHandler();
        simulation.begin();
        if (watch != null) {
            watch.look(simulation);
        }
        system = ActorSystem.create();
    }

    /**
     * Creates a system for the calling thread, which controls it until {@link #close}. Its time begins with the year
     * 2000, UTC.
     *
     * @throws IllegalStateException if the thread already has a test system, or runs an actor
     */
    public static TestSystem create() {
        return create(START);
    }

    /** Like {@link #create()}, with the given start time. */
    public static TestSystem create(Instant start) {
        requireNonNull(start, "start");
        Control open = Control.ofCurrentThread();
        if (open != null) {
            throw new IllegalStateException("this thread has a TestSystem already, that of " + open
                    + "; close that one first, or make a further system with ActorSystem.create()");
        }
        String owner = RunningTest.nameOrPlace();
        var test = new TestSystem(new Simulation(owner, new InOrder(), Trace.recording(), start), true);
        RunningTest.opened(test);
        return test;
    }

    /** Creates a system for a single run on the calling thread, which ends with the run. */
    static TestSystem of(String owner, Chooser chooser, Trace trace) {
        return new TestSystem(new Simulation(owner, chooser, trace, START), false);
    }

    Simulation simulation() {
        return simulation;
    }

    // ---- actors

    /** Returns the actor system. */
    public ActorSystem system() {
        return system;
    }

    /** Begins to build an actor without a name; see {@link ActorSystem#actor()}. */
    public ActorBuilder<Object> actor() {
        return system.actor();
    }

    /** Begins to build an actor with a name; see {@link ActorSystem#actor(String)}. */
    public ActorBuilder<Object> actor(String name) {
        return system.actor(name);
    }

    /** Creates a probe. Its name appears in the failures of the test, and must be free in the system. */
    public <M> Probe<M> probe(String name) {
        return Probe.start(this, name);
    }

    // ---- time

    /**
     * Advances the time: runs all ready actors and all alarms that become due, in the order of time, and returns when
     * the system is idle.
     *
     * @throws IllegalArgumentException if the duration is negative, or if the virtual time since the beginning of the
     *     test would exceed 292 years
     */
    public void advance(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("time does not go back; it was to advance by " + time);
        }
        requireTestThread("advance");
        long now = simulation.nanoTime();
        if (time.compareTo(Duration.ofNanos(LAST_TIME - now)) > 0) {
            throw new IllegalArgumentException(
                    "the time of a test ends after 292 years; it was to advance by " + time + " from " + elapsed());
        }
        simulation.runUntilIdle(now + time.toNanos());
    }

    /** Runs all ready actors until the system is idle, without advancing the time. */
    public void runUntilIdle() {
        advance(Duration.ZERO);
    }

    /** Returns the virtual time of day. */
    public Instant now() {
        return simulation.instant();
    }

    /** Returns the virtual time since the beginning of the test. */
    public Duration elapsed() {
        return Duration.ofNanos(simulation.nanoTime());
    }

    /**
     * Waits for any future, such as one of {@code CompletableFuture.allOf} and {@code anyOf}, whose own {@code join}
     * fails the test after a second: it would block the thread without a word to the test. Asks, stages that depend on
     * them, and the futures of {@link io.fibry.Asks} need no help.
     *
     * @return its result
     * @throws ExecutionException with the failure of the future as its cause
     */
    public <T extends @Nullable Object> T await(CompletionStage<T> future) throws ExecutionException {
        Future<T> awaited = future.toCompletableFuture();
        Control.await(awaited, Control.FOREVER, false, "a future");
        try {
            return awaited.get();
        } catch (InterruptedException e) {
            throw new AssertionError("a future that is done does not wait", e);
        }
    }

    // ---- more

    /**
     * Expects that this actor fails once from now on, with an exception of this type that no asker gets. Such a failure
     * otherwise fails the test, with any supervision: an exception while the actor handles a message of {@code tell},
     * or when a restart makes the new behavior. Each call expects one failure.
     *
     * {@snippet class = "TestSnippets" region = "expectFailure"}
     *
     * <p>The test fails at its end if the failure has not occurred. A failure that {@link #faults} cause, and one that
     * an asker gets, need not be expected.
     */
    public void expectFailure(Actor<?> actor, Class<? extends Throwable> type) {
        expectFailure(actor.name(), type);
    }

    /** As {@link #expectFailure(Actor, Class)}, for an actor of this name, such as a child that does not exist yet. */
    public void expectFailure(String actor, Class<? extends Throwable> type) {
        requireTestThread("expectFailure");
        simulation.expected().expect(requireNonNull(actor, "actor"), requireNonNull(type, "type"));
    }

    /**
     * Allows that this actor fails from now on, any number of times, as {@link #expectFailure(Actor, Class)} expects it
     * once: for failures that occur only in some of the orders of an {@link ActorTest}, or repeatedly.
     */
    public void allowFailures(Actor<?> actor, Class<? extends Throwable> type) {
        allowFailures(actor.name(), type);
    }

    /** As {@link #allowFailures(Actor, Class)}, for an actor of this name. */
    public void allowFailures(String actor, Class<? extends Throwable> type) {
        requireTestThread("allowFailures");
        simulation.expected().allow(requireNonNull(actor, "actor"), requireNonNull(type, "type"));
    }

    /** Returns the injected faults of this run. */
    public Faults faults() {
        return simulation.faults();
    }

    /** Returns the trace so far, one line per step. It is empty in runs of {@link Schedules} that have not failed. */
    public List<String> trace() {
        return simulation.trace().lines();
    }

    void requireTestThread(String what) {
        if (closed) {
            throw new IllegalStateException(
                    what + " comes too late: this TestSystem has been ended" + simulation.endedBy());
        }
        if (!simulation.isTestThread()) {
            throw new IllegalStateException("only the thread of the test may call " + what);
        }
    }

    /** Returns the failure of an expectation, with the trace so far. */
    AssertionError failed(String text) {
        return new AssertionError(ownsThread ? text + "\n" + ScheduleFailure.numbered(trace()) : text);
    }

    /**
     * Closes all systems of the test and gives the thread back. Has no effect if called again.
     *
     * @throws AssertionError if the test has failed, also if an earlier call has thrown that: an actor has failed, and
     *     the test did not expect it; an expected failure has not occurred; an actor waits for ever; a thread that is
     *     none of the test's has sent a message
     */
    @Override
    public void close() {
        if (!closed) {
            requireTestThread("close");
            RunningTest.closed(this);
            boolean thrown = simulation.hasThrown();
            Throwable failure = end();
            if (failure != null && thrown) { // not the same again, which cannot be suppressed by itself
                throw new AssertionError("the test has failed before: " + failure.getMessage(), failure);
            }
            if (failure != null) {
                throw failure instanceof Error e ? e : new AssertionError(failure);
            }
        }
    }

    /** Returns the failure of the run, or null. */
    @Nullable
    Throwable end() {
        closed = true;
        try {
            if (!simulation.isOver()) {
                simulation.closeSystems();
            }
        } catch (Throwable t) {
            simulation.fail(t);
        }
        Throwable failure = simulation.end();
        if (watch != null) {
            watch.end();
        }
        Thread.currentThread().setUncaughtExceptionHandler(before instanceof ThreadGroup ? null : before);
        return failure;
    }
}
