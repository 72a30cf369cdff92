package io.fibry.dispatch;

import org.jspecify.annotations.Nullable;

/**
 * The alarms of the JVM, ordered by the tick at which they are due. Adding and removing an alarm take constant time and
 * allocate nothing. Confined to the {@link TimerThread}.
 *
 * <p>This is a hierarchical timing wheel: G. Varghese and A. Lauck, "Hashed and Hierarchical Timing Wheels", IEEE/ACM
 * Transactions on Networking 5(6), 1997, scheme 7. A slot of level 0 holds the alarms of one tick, and a slot of each
 * further level those of 64 times as many ticks. The level of an alarm follows from the highest bit in which its tick
 * differs from the current one. When the first slot of a level becomes current, its alarms move to lower levels.
 *
 * <p>Invariant: an alarm at level <i>n</i> agrees with the current tick in all bits above those of level <i>n</i>. All
 * alarms of a level are therefore due before those of the next level, and the first occupied slot of the lowest
 * occupied level is the earliest one. Alarms of the same tick are in the order in which they were added.
 */
final class TimingWheel {

    /** The slot of an alarm that is not in the wheel. */
    static final short NO_SLOT = -1;

    /** The tick of an empty wheel. */
    static final long NEVER = Long.MAX_VALUE;

    private static final int BITS = 6;
    private static final int SLOTS = 1 << BITS;

    /** Enough for all ticks that {@link TimerThread#tick} can return. */
    private static final int LEVELS = 8;

    private final @Nullable Alarm[] first = new Alarm[LEVELS * SLOTS];
    private final @Nullable Alarm[] last = new Alarm[LEVELS * SLOTS];

    /** For each level, a bit for each occupied slot. */
    private final long[] occupied = new long[LEVELS];

    private long current;

    /** Adds an alarm. One that is already due is returned by the next call of {@link #poll}. */
    void add(Alarm alarm) {
        long tick = Math.max(alarm.tick(), current);
        int level = (Long.SIZE - 1 - Long.numberOfLeadingZeros((tick ^ current) | 1)) / BITS;
        int index = (int) (tick >>> (level * BITS)) & (SLOTS - 1);
        int slot = level * SLOTS + index;
        Alarm previous = last[slot];
        alarm.slot = (short) slot;
        alarm.previousInSlot = previous;
        last[slot] = alarm;
        if (previous == null) {
            first[slot] = alarm;
            occupied[level] |= 1L << index;
        } else {
            previous.nextInSlot = alarm;
        }
    }

    /** Removes an alarm, if it is in the wheel. */
    void remove(Alarm alarm) {
        int slot = alarm.slot;
        if (slot == NO_SLOT) {
            return;
        }
        Alarm previous = alarm.previousInSlot;
        Alarm next = alarm.nextInSlot;
        if (previous == null) {
            first[slot] = next;
        } else {
            previous.nextInSlot = next;
        }
        if (next == null) {
            last[slot] = previous;
        } else {
            next.previousInSlot = previous;
        }
        if (first[slot] == null) {
            occupied[slot / SLOTS] &= ~(1L << (slot % SLOTS));
        }
        alarm.previousInSlot = null;
        alarm.nextInSlot = null;
        alarm.slot = NO_SLOT;
    }

    /** Removes and returns the next alarm that is due at this tick or earlier; null if there is none. */
    @Nullable
    Alarm poll(long tick) {
        while (true) {
            int level = lowestLevel();
            long start = level == LEVELS ? NEVER : start(level);
            current = Math.max(current, Math.min(start, tick));
            if (start > tick) {
                return null;
            }
            int slot = level * SLOTS + Long.numberOfTrailingZeros(occupied[level]);
            Alarm alarm = first[slot];
            if (level == 0 && alarm != null) {
                remove(alarm);
                return alarm;
            }
            cascade(level, slot);
        }
    }

    /**
     * The earliest tick at which {@link #poll} has work: to return an alarm, or to move alarms to lower levels.
     * {@link #NEVER} if the wheel is empty.
     */
    long nextTick() {
        int level = lowestLevel();
        return level == LEVELS ? NEVER : start(level);
    }

    private int lowestLevel() {
        int level = 0;
        while (level < LEVELS && occupied[level] == 0) {
            level++;
        }
        return level;
    }

    /** The first tick of the first occupied slot of a level. */
    private long start(int level) {
        int shift = level * BITS;
        long above = current >>> (shift + BITS) << (shift + BITS);
        return above | (long) Long.numberOfTrailingZeros(occupied[level]) << shift;
    }

    /** Moves the alarms of a slot, whose first tick is the current one, to lower levels. */
    private void cascade(int level, int slot) {
        Alarm alarm = first[slot];
        first[slot] = null;
        last[slot] = null;
        occupied[level] &= ~(1L << (slot % SLOTS));
        while (alarm != null) {
            Alarm next = alarm.nextInSlot;
            alarm.nextInSlot = null;
            add(alarm);
            alarm = next;
        }
    }
}
