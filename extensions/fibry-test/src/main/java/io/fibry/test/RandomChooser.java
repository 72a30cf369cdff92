package io.fibry.test;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses at random. The frequency of switches away from a strand that can continue depends on the seed: some bugs
 * require many switches, others exactly one. The clock rarely advances while a strand can run.
 */
final class RandomChooser extends Chooser {

    private static final int[] STAYS_OUT_OF = {1, 2, 4, 16};
    private static final int CLOCK_ONCE_IN = 12;

    private final long seed;
    private final SplitMix random;
    private final int stays;

    RandomChooser(long seed) {
        this.seed = seed;
        random = new SplitMix(seed);
        stays = STAYS_OUT_OF[random.below(STAYS_OUT_OF.length)];
    }

    @Override
    int choose(List<Strand> strands, @Nullable Strand current, boolean mayPass, Strand clock) {
        if (mayPass && random.onceIn(CLOCK_ONCE_IN)) {
            return strands.size();
        }
        if (current != null && !random.onceIn(stays)) {
            return 0;
        }
        return random.below(strands.size());
    }

    @Override
    int draw(int bound) {
        return random.below(bound);
    }

    @Override
    Chooser again() {
        return new RandomChooser(seed);
    }

    @Override
    String replay() {
        return "seed = " + seed;
    }
}
