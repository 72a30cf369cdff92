package io.fibry.test;

import io.fibry.ActorBuilder;
import io.fibry.ActorSystem;
import io.fibry.dispatch.Control;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * An actor system for a test, with a time of its own. Its actors run one at a time, and only while the test waits: for a reply, for
 * the end of an actor, for a {@link Probe}, or in {@link #advance}. So a test sees the same in each run.
 *
 * {@snippet class = "TestSnippets" region = "virtualTime"}
 *
 * <p><b>Time</b> stands still while the test or an actor does something. It goes on by {@link #advance}; and when the test waits and
 * nothing else can run, to what is due next. Timers, schedules, timeouts of asks, backoffs and the deadlines of {@code close} follow
 * it, and so do timeouts of futures that depend on an ask. A test over an hour takes a few milliseconds.
 *
 * <p><b>What belongs to it.</b> Everything that the thread of the test does, from {@link #create} to {@link #close}, and the actors.
 * {@link ActorSystem#create}, called there, makes further systems of the same test, and {@link ActorSystem#defaultSystem} is one of them
 * too. All of them ignore the {@link io.fibry.ThreadStrategy} of their actors, and all of them end with the test.
 *
 * <p><b>It ends with its test.</b> On the JUnit Platform, a test system that is still open at the end of the test method or the test class
 * that has made it is closed then, and an error is logged. A later use of its actors, or of the systems made under it, gets an exception
 * that has the name of that test. With other test frameworks, always call {@link #close}.
 *
 * <p><b>What a test cannot have</b>: servers and other sockets, which are refused; threads of the program that send to its actors, which
 * fail the test; {@link Thread#sleep} and locks that are held by a handler which waits, which fail it where they are noticed.
 * {@link System#nanoTime} and the JDK's clocks show real time, and nobody notices.
 *
 * <p>A test with many schedules gets its system from {@link ActorTest} or {@link Schedules}.
 */
public final class TestSystem implements AutoCloseable {

    private static final Instant START = Instant.parse("2000-01-01T00:00:00Z");

    private final Simulation simulation;
    private final ActorSystem system;
    private final Thread.@Nullable UncaughtExceptionHandler before;
    private final boolean ownsThread;
    private final @Nullable Watch watch;
    private boolean closed;

    private TestSystem(Simulation simulation, boolean ownsThread) {
        this.simulation = simulation;
        this.ownsThread = ownsThread;
        watch = ownsThread ? Watch.begin(false, how -> {}) : null;
        before = Thread.currentThread().getUncaughtExceptionHandler();
        simulation.begin();
        if (watch != null) {
            watch.look(simulation);
        }
        system = ActorSystem.create();
    }

    /**
     * A system for the calling thread, until {@link #close}. Its time begins with the year 2000, UTC.
     *
     * @throws IllegalStateException if the thread has one already, or is inside an actor
     */
    public static TestSystem create() {
        return create(START);
    }

    /** As {@link #create()}, with another time to begin. */
    public static TestSystem create(Instant start) {
        Objects.requireNonNull(start, "start");
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

    /** For one run. The calling thread ends with it. */
    static TestSystem of(String owner, Chooser chooser, Trace trace) {
        return new TestSystem(new Simulation(owner, chooser, trace, START), false);
    }

    Simulation simulation() {
        return simulation;
    }

    // ---- actors

    /** The actor system. */
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

    /** A new probe. Its name is used in the failures of the test, and must be free in the system. */
    public <M> Probe<M> probe(String name) {
        return Probe.start(this, name);
    }

    // ---- time

    /**
     * Lets this time pass: runs what is ready and what comes due, in the order of time, and returns when nothing moves any more.
     *
     * @throws IllegalArgumentException if the duration is negative
     */
    public void advance(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("time does not go back; it was to advance by " + time);
        }
        requireTestThread("advance");
        simulation.runUntilIdle(Math.addExact(simulation.nanoTime(), time.toNanos()));
    }

    /** Runs what is ready, until nothing moves any more. Time stands still. */
    public void runUntilIdle() {
        advance(Duration.ZERO);
    }

    /** The time of day in this test. */
    public Instant now() {
        return simulation.instant();
    }

    /** How much time has passed since the beginning of the test. */
    public Duration elapsed() {
        return Duration.ofNanos(simulation.nanoTime());
    }

    /**
     * Waits for any future, such as one of {@code CompletableFuture.allOf}: its own {@code join} would stop the test, which would not
     * know what it waits for. Futures of asks and what is derived from them need no help.
     *
     * @return its result
     * @throws ExecutionException with what the future has failed with
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

    /** What may go wrong in this run. */
    public Faults faults() {
        return simulation.faults();
    }

    /** What has happened so far, one line for each step; empty in the runs of {@link Schedules} that have not failed. */
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

    /** A failure of an expectation, with what has happened so far. */
    AssertionError failed(String text) {
        return new AssertionError(ownsThread ? text + "\n" + ScheduleFailure.numbered(trace()) : text);
    }

    /**
     * Closes all systems of the test and gives the thread back. Has no effect if called again.
     *
     * @throws AssertionError if something went wrong that no call of the test has thrown: an actor that waits for ever, a thread that is none
     *     of the test's
     */
    @Override
    public void close() {
        if (!closed) {
            requireTestThread("close");
            RunningTest.closed(this);
            Throwable failure = end();
            if (failure != null) {
                throw failure instanceof Error e ? e : new AssertionError(failure);
            }
        }
    }

    /** Returns what made the run fail, or null. */
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
