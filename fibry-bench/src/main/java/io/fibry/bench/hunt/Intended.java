package io.fibry.bench.hunt;

/** The exception of a behavior that fails as its message says. */
final class Intended extends RuntimeException {

    private static final long serialVersionUID = 1;

    Intended() {
        super("intended", null, false, false);
    }
}
