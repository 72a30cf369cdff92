package io.fibry.test;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What can run next in a simulation, and the choice among it.
 *
 * <p><b>No strand is forgotten.</b> One that can go on is in {@code runnable}; one that waits is in {@code waiting}, with what tells
 * whether it can go on; all others run or have nothing to do. There are no wake-ups that could be lost: each choice looks at all that
 * wait.
 */
final class Choices {

    private final Chooser chooser;
    private final Trace trace;
    private final VirtualClock clock;
    private final Strands strands;
    private final Strand test;

    /** Stands for time, to those who rank what they choose from. */
    private final Strand time;

    private final List<Strand> runnable = new ArrayList<>();
    private final List<Strand> waiting = new ArrayList<>();
    private final List<Strand> options = new ArrayList<>(); // of the choice in progress

    /** Until when time may go on while the test waits until nothing moves. */
    private long limit;

    Choices(Chooser chooser, Trace trace, VirtualClock clock, Strands strands, Strand test) {
        this.chooser = chooser;
        this.trace = trace;
        this.clock = clock;
        this.strands = strands;
        this.test = test;
        time = strands.add("time", null);
    }

    void ready(Strand strand) {
        runnable.add(strand);
    }

    void waits(Strand strand) {
        waiting.add(strand);
    }

    /** The test waits until nothing moves any more, and lets time go on until then. */
    void testWaitsUntilIdle(long until) {
        limit = until;
        test.waitsUntilIdle();
        waiting.add(test);
    }

    /** Whether another strand than the one that runs may be chosen, or may be able to go on. */
    boolean areOpen() {
        return !runnable.isEmpty() || !waiting.isEmpty() || clock.nextDue() <= limit();
    }

    /** Chooses among this strand, if it can go on, and all others. Null if none can ever go on. */
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

    /** Time stands still while the test does something. */
    private long limit() {
        return test.waitsForIdle() ? limit : test.waits() ? Long.MAX_VALUE - 1 : clock.now();
    }

    /** Whether an alarm may fire although something else can run. It must not skip the end of somebody's wait. */
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

    /** Nothing can run. Lets time go on to what is due next; false if that is never, or after the limit. */
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
        runnable.add(strands.add("what is due at " + Trace.text(due.at()), Strand.Work.of(due.action())));
    }

    // ---- the end

    /** Whether a strand waits that nothing known will ever wake. */
    boolean someWaitForEver() {
        return clock.nextDue() == Long.MAX_VALUE && waiting.stream().anyMatch(s -> s.deadline() == Long.MAX_VALUE);
    }

    boolean areAllDone() {
        return waiting.isEmpty() && runnable.isEmpty();
    }

    /** Takes a strand that has been stopped somewhere; null if there is none. */
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

    /** Who waits for what. */
    @Override
    public String toString() {
        List<String> all = new ArrayList<>();
        waiting.forEach(s -> all.add(s + " waits for " + s.what()));
        runnable.forEach(s -> all.add(s + " could go on"));
        return String.join("; ", all);
    }
}
