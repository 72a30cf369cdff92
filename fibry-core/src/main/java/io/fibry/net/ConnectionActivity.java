package io.fibry.net;

/**
 * What is known of a connection's reads and writes: whether it is idle, and since when nothing has moved. One thread may
 * read while another writes.
 *
 * <p>A connection is <i>idle</i> while its handler waits in a read, and nothing has been read since the last write, or since
 * the beginning. So it has answered all that it has got, as far as one can tell without knowing its protocol. Where that tells
 * nothing, because what is written comes from elsewhere, it is idle while its handler waits in a read, and nothing has moved for
 * a while.
 */
final class ConnectionActivity {

    /** Says that the connections of an acceptor are to end as soon as they are idle. */
    interface Drain {
        boolean isDraining();

        /** For how long nothing has to move before a connection is idle; 0 if its own answers tell. */
        default long quietNanos() {
            return 0;
        }
    }

    private final Drain drain;
    private final boolean timed;
    private volatile boolean reading;
    private volatile boolean writing;
    private volatile boolean answered = true;
    private volatile long moved;

    /** When the read began that waits, and before it those that have waited in vain. */
    private volatile long readSince;

    /** For how long the reads before this one have waited in vain. By the reader. */
    private long waitedInVain;

    /** Timed means that somebody will ask how long nothing has moved; else no clock is looked at. */
    ConnectionActivity(Drain drain, boolean timed) {
        this.drain = drain;
        this.timed = timed;
        touch();
        readSince = moved;
    }

    /** Whether a large write has to be cut into pieces, so that one can see it move. */
    boolean isTimed() {
        return timed;
    }

    /**
     * A read is about to wait. False if it must not, because the connection is idle and has to end. The order matters: a stop
     * asks for the drain first and looks whether a read waits then, and here it is the other way round.
     */
    boolean beginRead() {
        if (timed) {
            readSince = System.nanoTime() - waitedInVain;
        }
        reading = true;
        return !(answered && endsWhenAnswered());
    }

    void endRead(int count) {
        if (count > 0) {
            answered = false;
            waitedInVain = 0;
            touch();
        } else if (timed) {
            waitedInVain = System.nanoTime() - lastMove();
        }
        reading = false;
    }

    void beginWrite() {
        touch();
        writing = true;
    }

    /** True if another thread waits in a read, and the connection perhaps has to end now that it is answered. */
    boolean endWrite() {
        touch();
        writing = false;
        answered = true;
        return reading && endsWhenAnswered();
    }

    private boolean endsWhenAnswered() {
        return drain.isDraining() && drain.quietNanos() == 0;
    }

    private void touch() {
        if (timed) {
            moved = System.nanoTime();
        }
    }

    boolean isIdle(long now) {
        long quiet = drain.quietNanos();
        return reading && (quiet == 0 ? answered : !writing && now - lastMove() > quiet);
    }

    /** Whether a read or a write has been waiting, and nothing has moved, for so many nanoseconds before that time. */
    boolean isStalled(long nanos, long now) {
        return (reading && now - lastMove() > nanos) || (writing && now - moved > nanos);
    }

    /** As far as a read is concerned: what came or went, or the read's own begin. */
    private long lastMove() {
        long began = readSince;
        long last = moved;
        return began - last > 0 ? began : last;
    }
}
