package io.fibry.bench.hunt;

import java.util.BitSet;
import java.util.function.Predicate;

/**
 * Removes the steps that are not necessary for a failure: first all steps of an actor or of a strand at once, then by
 * delta debugging (Zeller and Hildebrandt, IEEE TSE 2002).
 */
final class Shrinker {

    private final Predicate<Program> fails;
    private Program smallest;

    /** @param fails whether a program still fails, in one of many runs */
    Shrinker(Program program, Predicate<Program> fails) {
        this.fails = fails;
        smallest = program;
    }

    /** Returns the smallest program that still fails. */
    Program shrink() {
        for (int strand : smallest.strands()) {
            int s = strand;
            without(step -> (step instanceof Step.Op op && op.strand() == s)
                    || (step instanceof Step.Start start && start.strand() == s));
        }
        for (int actor = 0; actor < smallest.actors(); actor++) {
            int a = actor;
            without(step -> step.actor() == a);
        }
        without(step -> step instanceof Step.Op op && !starts(smallest.kept(), op.actor()));
        int chunk = Math.max(1, smallest.kept().cardinality() / 2);
        while (true) {
            boolean removed = removeChunks(chunk);
            if (chunk == 1 && !removed) {
                return smallest;
            }
            if (!removed) {
                chunk = Math.max(1, chunk / 2);
            }
        }
    }

    private void without(Predicate<Step> step) {
        var kept = (BitSet) smallest.kept().clone();
        smallest.kept().stream().filter(i -> step.test(smallest.all().get(i))).forEach(kept::clear);
        boolean unused = accept(kept);
    }

    /** Tries to remove each sequence of this length. Returns whether a sequence was removed. */
    private boolean removeChunks(int size) {
        int[] indexes = smallest.kept().stream().toArray();
        boolean removed = false;
        for (int from = 0; from < indexes.length; from += size) {
            var kept = (BitSet) smallest.kept().clone();
            for (int i = from; i < Math.min(from + size, indexes.length); i++) {
                kept.clear(indexes[i]);
            }
            removed |= accept(kept);
        }
        return removed;
    }

    /** Tests a program without the options of actors that it does not start. */
    private boolean accept(BitSet candidateSteps) {
        BitSet kept = candidateSteps.stream()
                .filter(i -> !(smallest.all().get(i) instanceof Step.Option option)
                        || starts(candidateSteps, option.actor()))
                .collect(BitSet::new, BitSet::set, BitSet::or);
        if (kept.isEmpty() || kept.equals(smallest.kept())) {
            return false;
        }
        Program candidate = smallest.keep(kept);
        if (!fails.test(candidate)) {
            return false;
        }
        smallest = candidate;
        return true;
    }

    private boolean starts(BitSet kept, int actor) {
        return kept.stream().anyMatch(i -> smallest.all().get(i) instanceof Step.Start start && start.actor() == actor);
    }
}
