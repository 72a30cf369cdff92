package io.fibry.net.attack;

import java.util.List;
import java.util.SplittableRandom;

/**
 * The intensity of the attacks. {@code mvn verify} runs a short form of them, which takes seconds;
 * {@code -Dattack=full} runs them at full size. {@code -Dattack.seed} varies the random ones.
 */
final class Attack {

    static final boolean FULL = "full".equals(System.getProperty("attack"));

    private static final long SEED = Long.getLong("attack.seed", 1);

    private Attack() {}

    static int size(int inShort, int inFull) {
        return FULL ? inFull : inShort;
    }

    /** The same numbers in each run with the same seed. */
    static SplittableRandom random() {
        return new SplittableRandom(SEED);
    }

    static <T> T oneOf(List<T> all, SplittableRandom random) {
        return all.get(random.nextInt(all.size()));
    }
}
