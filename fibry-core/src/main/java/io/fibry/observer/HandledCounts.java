package io.fibry.observer;

/**
 * How many messages each actor had handled at one time, by id, in one array of longs: a map of objects would take ten
 * times the memory for a million actors. Of two actors with the same id, it keeps the larger number. The rate of the
 * other one is then zero, and never too high. Confined to one thread at a time.
 */
final class HandledCounts {

    /** The maximum number of actors, which take 16 MB. Further actors have no rate. */
    static final int MOST = 1 << 20;

    private static final int SMALLEST = 1 << 10;
    private static final int ID_BITS = 32;

    private final long nanos;

    /** Ids in the upper half, and the lower 32 bits of the numbers in the lower half; 0 is empty. */
    private long[] slots;

    private int size;

    /**
     * @param nanos when the actors are read
     * @param expected the number of actors, if it is known
     */
    HandledCounts(long nanos, int expected) {
        this.nanos = nanos;
        int needed = 2 * Math.clamp(expected, SMALLEST / 2, MOST);
        slots = new long[Integer.highestOneBit(needed) == needed ? needed : 2 * Integer.highestOneBit(needed)];
    }

    long nanos() {
        return nanos;
    }

    int size() {
        return size;
    }

    void put(int id, long handled) {
        int at = find(id);
        long old = slots[at];
        if (old == 0) {
            if (size >= MOST || id == 0) {
                return;
            }
            size++;
        } else if ((int) handled - (int) old <= 0) {
            return;
        }
        slots[at] = slot(id, handled);
        if (size > slots.length / 2) {
            grow();
        }
    }

    /** How many messages the actor has handled since then; -1 if it was not there. */
    long since(int id, long handled) {
        long then = slots[find(id)];
        return then == 0 ? -1 : Math.max(0, (int) handled - (int) then); // right for fewer than 2^31 messages
    }

    private static long slot(int id, long handled) {
        return (long) id << ID_BITS | (handled & 0xFFFF_FFFFL);
    }

    /** The slot of the id, or the empty one that it would take. */
    private int find(int id) {
        int mask = slots.length - 1;
        int at = id & mask; // ids are random numbers
        while (slots[at] != 0 && (int) (slots[at] >>> ID_BITS) != id) {
            at = at + 1 & mask;
        }
        return at;
    }

    private void grow() {
        long[] old = slots;
        slots = new long[2 * old.length];
        for (long slot : old) {
            if (slot != 0) {
                slots[find((int) (slot >>> ID_BITS))] = slot;
            }
        }
    }
}
