package io.fibry.bench.hunt;

/**
 * A violation of a guarantee of the library, detected by a {@link Trial}.
 *
 * @param kind distinguishes faults while a program is shrunk
 */
record Problem(String kind, String text) {

    static final String HANG = "hang";

    @Override
    public String toString() {
        return kind + ": " + text;
    }
}
