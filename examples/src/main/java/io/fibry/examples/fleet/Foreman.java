package io.fibry.examples.fleet;

import io.fibry.Actor;
import io.fibry.ActorContext;
import io.fibry.ActorStoppedException;
import io.fibry.ThrowingConsumer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * Assigns jobs, a few at a time to each worker, and reassigns the unfinished jobs of a worker that has ended. The
 * reports of a worker arrive before the notice of its end. A job that it has not reported by then is therefore not
 * done. Only one actor may use an instance.
 */
public final class Foreman {

    private static final int JOBS_AT_A_TIME = 4;

    /** A report of a worker. */
    public sealed interface Report {}

    /** A new worker is ready. */
    public record Ready(Actor<Integer> worker) implements Report {}

    /** A job is done. */
    public record Done(Actor<Integer> worker, int job) implements Report {}

    private final Queue<Integer> left = new ArrayDeque<>();
    private final Map<Actor<Integer>, Set<Integer>> given = new HashMap<>();
    private final Set<Integer> done = new HashSet<>();
    private final CompletableFuture<Void> allDone = new CompletableFuture<>();
    private final IntConsumer afterEach;
    private int twice;
    private int ended;

    /** Creates jobs numbered from 0. After each, {@code afterEach} gets the number of jobs done so far. */
    public Foreman(int jobs, IntConsumer afterEach) {
        IntStream.range(0, jobs).forEach(left::add);
        this.afterEach = afterEach;
    }

    /** Completes when all jobs are done. */
    public CompletableFuture<Void> allDone() {
        return allDone;
    }

    /** The behavior of the foreman's actor. */
    public ThrowingConsumer<Report> behavior(ActorContext<Report> context) {
        return report -> hear(report, context);
    }

    private void hear(Report report, ActorContext<Report> context) {
        switch (report) {
            case Ready(var worker) -> {
                given.put(worker, new HashSet<>());
                context.watch(worker, exit -> lost(worker));
            }
            case Done(var worker, var job) -> {
                given.get(worker).remove(job);
                twice += done.add(job) ? 0 : 1;
                afterEach.accept(done.size());
            }
        }
        giveToAll();
    }

    private void lost(Actor<Integer> worker) {
        ended++;
        left.addAll(given.remove(worker));
        giveToAll();
    }

    private void giveToAll() {
        given.forEach(this::give);
        if (left.isEmpty() && given.values().stream().allMatch(Set::isEmpty)) {
            allDone.complete(null);
        }
    }

    private void give(Actor<Integer> worker, Set<Integer> its) {
        while (its.size() < JOBS_AT_A_TIME && !left.isEmpty()) {
            int job = left.remove();
            its.add(job);
            try {
                worker.tell(job);
            } catch (ActorStoppedException e) {
                return; // the notice of its end will reassign the job
            }
        }
    }

    @Override
    public String toString() {
        return done.size() + " jobs are done, " + twice + " of them twice; " + ended + " workers were ended";
    }
}
