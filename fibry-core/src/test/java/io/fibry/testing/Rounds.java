package io.fibry.testing;

/**
 * The number of rounds, messages or actors in tests that search for races and for quadratic time. {@code mvn verify}
 * runs a short form of them; {@code -Dfibry.test.jvm=-Drounds=full} runs them at full size.
 */
public final class Rounds {

    private static final boolean FULL = "full".equals(System.getProperty("rounds"));

    private Rounds() {}

    public static int of(int inShort, int inFull) {
        return FULL ? inFull : inShort;
    }
}
