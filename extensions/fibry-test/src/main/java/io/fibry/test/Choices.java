package io.fibry.test;

import io.fibry.dispatch.ScheduledActor;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The strands that can run next in a simulation, and the choice among them.
 *
 * <p><b>No strand is lost.</b> A strand that can continue is in {@code runnable}. A strand that waits is in
 * {@code waiting}, with the condition of its wait. All other strands are running or have nothing to do. No wake-up can
 * be lost, because there are none: each choice evaluates the conditions of all waiting strands.
 */
final class Choices {

    private final Chooser chooser;
    private final Trace trace;
    private final VirtualClock clock;
    private final Strands strands;
    private final Strand test;
    private final Set<ScheduledActor> suspended;

    /** Represents the passage of time, for choosers that rank strands. */
    private final Strand time;

    private final List<Strand> runnable = new ArrayList<>();
    private final List<Strand> waiting = new ArrayList<>();
    private final List<Strand> options = new ArrayList<>(); // of the current choice

    /** The time up to which the clock may advance while the test waits for idleness. */
    private long limit;

    /** @param suspended the actors whose handlers are suspended */
    Choices(
            Chooser chooser,
            Trace trace,
            VirtualClock clock,
            Strands strands,
            Strand test,
            Set<ScheduledActor> suspended) {
        this.chooser = chooser;
        this.trace = trace;
        this.clock = clock;
        this.strands = strands;
        this.test = test;
        this.suspended = suspended;
        time = strands.add("time", null);
    }

    void ready(Strand strand) {
        runnable.add(strand);
    }

    void waits(Strand strand) {
        waiting.add(strand);
    }

    /** Lets the test wait until the simulation is idle; the clock may advance up to the given time. */
    void testWaitsUntilIdle(long until) {
        limit = until;
        test.waitsUntilIdle();
        waiting.add(test);
    }

    /** Returns whether a strand other than the current one may be able to run. */
    boolean areOpen() {
        return !runnable.isEmpty() || !waiting.isEmpty() || clock.nextDue() <= limit();
    }

    /**
     * Chooses among all strands that can run, including the given one if it is not null. Returns null if no strand can
     * ever run.
     */
    @Nullable
    Strand next(@Nullable Strand self) {
        while (true) {
            collectOptions(self);
            if (options.isEmpty()) {
                if (!timeGoesOn()) {
                    return test.waitsForIdle() ? taken(test) : null;
                }
            } else {
                boolean mayPass = mayPass();
                int among = options.size() + (mayPass ? 1 : 0);
                int choice = among == 1 ? 0 : chooser.choose(options, self, mayPass, time);
                trace.chosen(choice, among);
                if (choice < options.size()) {
                    return taken(options.get(choice));
                }
                fire();
            }
        }
    }

    private void collectOptions(@Nullable Strand self) {
        options.clear();
        if (self != null) {
            options.add(self);
        }
        options.addAll(runnable);
        for (Strand strand : waiting) {
            if (strand.canGoOn(clock.now())) {
                options.add(strand);
            }
        }
    }

    private Strand taken(Strand strand) {
        if (!runnable.remove(strand)) {
            waiting.remove(strand);
        }
        return strand;
    }

    // ---- time

    /** Returns the time up to which the clock may advance. The clock does not advance while the test runs. */
    private long limit() {
        return test.waitsForIdle() ? limit : test.waits() ? Long.MAX_VALUE - 1 : clock.now();
    }

    /**
     * Returns whether an alarm may fire although a strand can run. It must not fire after the deadline of a wait that
     * is still pending.
     */
    private boolean mayPass() {
        long due = clock.nextDue();
        return due <= limit() && due <= earliestDeadline();
    }

    private long earliestDeadline() {
        long earliest = Long.MAX_VALUE;
        for (Strand strand : waiting) {
            earliest = Math.min(earliest, strand.deadline());
        }
        return earliest;
    }

    /**
     * Advances the clock to the next alarm or deadline, when no strand can run. Returns false if there is none before
     * the limit.
     */
    private boolean timeGoesOn() {
        long due = clock.nextDue();
        long deadline = earliestDeadline();
        if (Math.min(due, deadline) > limit()) {
            return false;
        }
        if (due <= deadline) {
            fire();
        } else {
            clock.goOnTo(deadline);
            trace.timeIs(clock);
        }
        return true;
    }

    private void fire() {
        VirtualClock.Due due = clock.take();
        trace.timeIs(clock);
        runnable.add(strands.add("what is due at " + Trace.text(due.at()), Strand.Work.of(due.alarm()::fire)));
    }

    // ---- the end

    /** Returns whether a strand waits without a deadline, or a handler is suspended, and no alarm could end this. */
    boolean someWaitForEver() {
        return clock.nextDue() == Long.MAX_VALUE
                && (!suspended.isEmpty() || waiting.stream().anyMatch(s -> s.deadline() == Long.MAX_VALUE));
    }

    boolean areAllDone() {
        return waiting.isEmpty() && runnable.isEmpty();
    }

    /** Removes and returns a suspended strand, or null if there is none. */
    @Nullable
    Strand takeStopped() {
        for (List<Strand> left : List.of(waiting, runnable)) {
            while (!left.isEmpty()) {
                Strand strand = left.removeLast();
                if (strand != test && strand.fiber != null) {
                    return strand;
                }
            }
        }
        return null;
    }

    /** Returns the strands that wait, and the reasons of their waits. */
    @Override
    public String toString() {
        List<String> all = new ArrayList<>();
        waiting.forEach(s -> all.add(s + " waits for " + s.what()));
        suspended.forEach(actor -> all.add(actor.name() + " waits for its suspended coroutine"));
        runnable.forEach(s -> all.add(s + " could go on"));
        return String.join("; ", all);
    }
}
