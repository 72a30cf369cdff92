package io.fibry.bench.hunt;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An actor system and its use: the steps that a seed determines, or a subset of them. A strand with an even number is a
 * virtual thread, one with an odd number a platform thread.
 *
 * @param seed determines all steps
 * @param all all steps of the seed
 * @param kept the indexes of the steps that belong to this program
 * @param closeAfter the time from the start of the strands to the close of the system
 * @param deadline the deadline of that close
 */
record Program(long seed, List<Step> all, BitSet kept, Duration closeAfter, Duration deadline) {

    /** Returns this program with a subset of its steps. */
    Program keep(BitSet steps) {
        return new Program(seed, all, steps, closeAfter, deadline);
    }

    /** Returns the steps of this program, in order. */
    List<Step> steps() {
        return kept.stream().mapToObj(all::get).toList();
    }

    /** The steps of a strand. */
    List<Step> ofStrand(int strand) {
        List<Step> steps = new ArrayList<>();
        for (Step step : steps()) {
            switch (step) {
                case Step.Start start when start.strand() == strand -> steps.add(start);
                case Step.Op op when op.strand() == strand -> steps.add(op);
                default -> {}
            }
        }
        return steps;
    }

    /** Returns the strands with steps, without the setup. */
    int[] strands() {
        return steps().stream()
                .mapToInt(step -> switch (step) {
                    case Step.Start start -> start.strand();
                    case Step.Op op -> op.strand();
                    case Step.Option option -> Step.SETUP;
                })
                .filter(strand -> strand != Step.SETUP)
                .distinct()
                .sorted()
                .toArray();
    }

    /** Returns the number of actors that all steps of the seed start. */
    int actors() {
        return all.stream().mapToInt(Step::actor).max().orElse(-1) + 1;
    }

    Set<Trait> traits(int actor) {
        Set<Trait> traits = EnumSet.noneOf(Trait.class);
        for (Step step : steps()) {
            if (step instanceof Step.Option option && option.actor() == actor) {
                traits.add(option.trait());
            }
        }
        return traits;
    }

    /** Returns whether the actor is a single actor of the kernel, or is not started. */
    boolean isSingle(int actor) {
        return steps().stream()
                .noneMatch(step -> step instanceof Step.Start start
                        && start.actor() == actor
                        && !start.kind().isSingle());
    }

    /** The indexes of the steps, separated by commas. */
    String keptText() {
        return kept.stream().mapToObj(Integer::toString).collect(Collectors.joining(","));
    }

    /** Reads the indexes of {@link #keptText}. */
    Program keep(String indexes) {
        var steps = new BitSet();
        for (String index : indexes.split(",", -1)) {
            int i = Integer.parseInt(index.strip());
            if (i < 0 || i >= all.size()) {
                throw new IllegalArgumentException("The program of seed " + seed + " has the steps 0 to "
                        + (all.size() - 1) + ", and no step " + i);
            }
            steps.set(i);
        }
        return keep(steps);
    }

    static BitSet range(int size) {
        return IntStream.range(0, size).collect(BitSet::new, BitSet::set, BitSet::or);
    }
}
