package io.fibry.net.attack;

/**
 * How hard the attacks are. {@code mvn verify} runs a short form of them, which takes seconds; {@code -Dattack=full} runs
 * them at full size.
 */
final class Attack {

    static final boolean FULL = "full".equals(System.getProperty("attack"));

    private Attack() {}

    static int size(int inShort, int inFull) {
        return FULL ? inFull : inShort;
    }
}
