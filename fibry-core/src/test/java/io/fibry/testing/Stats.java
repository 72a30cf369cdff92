package io.fibry.testing;

import io.fibry.HandledMessages;
import io.fibry.SystemStats;

/** The expected numbers of a system. */
public final class Stats {

    private Stats() {}

    /** The numbers of a system in which all handled messages were sent. */
    public static SystemStats ofSent(long handled, long refused, long dropped, long dead) {
        return new SystemStats(new HandledMessages(handled, 0, 0, 0), refused, dropped, dead);
    }
}
