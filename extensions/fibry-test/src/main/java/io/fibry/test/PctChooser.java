package io.fibry.test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gives each strand a random priority, and always runs the strand with the highest priority. At a few random steps, the
 * current strand gets the lowest priority. A bug that requires {@code d} such steps is found with a guaranteed minimum
 * probability, which is independent of the structure of the program (Burckhardt, Kothari, Musuvathi, Nagarakatte: A
 * randomized scheduler with probabilistic guarantees of finding bugs, ASPLOS 2010).
 *
 * <p>The number of steps of a program is not known in advance. Each seed therefore assumes one of several lengths.
 */
final class PctChooser extends Chooser {

    private static final int[] LENGTHS = {16, 64, 256, 1_024};

    /**
     * The number of consecutive steps after which a strand gets the lowest priority: it may be polling for the action
     * of another strand.
     */
    private static final int LONGEST_RUN = 1_000;

    private final long seed;
    private final int depth;
    private final SplitMix random;
    private final Set<Integer> changes = new HashSet<>();
    private int steps;
    private int run;
    private double lowest;
    private @Nullable Strand last;

    PctChooser(long seed, int depth) {
        this.seed = seed;
        this.depth = depth;
        random = new SplitMix(seed);
        int length = LENGTHS[random.below(LENGTHS.length)];
        for (int i = 1; i < depth; i++) {
            changes.add(1 + random.below(length));
        }
    }

    @Override
    void appeared(Strand strand) {
        strand.priority = random.unit();
    }

    @Override
    int choose(List<Strand> strands, @Nullable Strand current, boolean mayPass, Strand clock) {
        List<Strand> all = new ArrayList<>(strands);
        if (mayPass) {
            all.add(clock);
        }
        Strand before = last;
        steps++;
        if (before != null && (changes.contains(steps) || run >= LONGEST_RUN || before == clock)) {
            lowest -= 1; // the clock advances once, not repeatedly
            before.priority = lowest;
            run = 0;
        }
        int best = 0;
        for (int i = 1; i < all.size(); i++) {
            if (all.get(i).priority > all.get(best).priority) {
                best = i;
            }
        }
        Strand chosen = all.get(best);
        run = chosen == before ? run + 1 : 0;
        last = chosen;
        return best;
    }

    @Override
    int draw(int bound) {
        return random.below(bound);
    }

    @Override
    Chooser again() {
        return new PctChooser(seed, depth);
    }

    @Override
    String replay() {
        return "seed = " + seed + ", strategy = Strategy.PCT, depth = " + depth;
    }
}
