package io.fibry.bench.hunt;

/**
 * A promise of the library that a {@link Trial} has seen broken.
 *
 * @param kind tells faults apart while a program is shrunk
 */
record Problem(String kind, String text) {

    static final String HANG = "hang";

    @Override
    public String toString() {
        return kind + ": " + text;
    }
}
