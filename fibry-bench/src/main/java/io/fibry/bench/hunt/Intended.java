package io.fibry.bench.hunt;

/** The exception of a behavior whose message requests a failure. */
final class Intended extends RuntimeException {

    private static final long serialVersionUID = 1;

    Intended() {
        super("intended", null, false, false);
    }
}
