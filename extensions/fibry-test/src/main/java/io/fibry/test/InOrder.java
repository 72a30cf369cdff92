package io.fibry.test;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The simplest schedule: what runs goes on, then follows what has been ready for longest, and time goes on when nothing else can. */
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
