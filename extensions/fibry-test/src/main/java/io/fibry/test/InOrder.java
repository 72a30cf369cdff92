package io.fibry.test;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The simplest schedule: the current strand continues as long as possible, then the strand that became ready first
 * runs, and the clock advances when no strand can run.
 */
final class InOrder extends Chooser {

    @Override
    int choose(List<Strand> strands, @Nullable Strand current, boolean mayPass, Strand clock) {
        return 0;
    }

    @Override
    int draw(int bound) {
        return 0;
    }

    @Override
    Chooser again() {
        return new InOrder();
    }

    @Override
    String replay() {
        return "";
    }
}
