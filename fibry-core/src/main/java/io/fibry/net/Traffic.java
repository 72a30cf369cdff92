package io.fibry.net;

/**
 * What is known of a connection's reads and writes: whether it is idle, and since when nothing has moved. One thread may
 * read while another writes.
 *
 * <p>A connection is <i>idle</i> while its handler waits in a read, and nothing has been read since the last write, or since
 * the beginning. So it has answered all that it has got, as far as one can tell without knowing its protocol.
 */
final class Traffic {

    /** Says that the connections of an acceptor are to end as soon as they are idle. */
    interface Drain {
        boolean isDraining();
    }

    private final Drain drain;
    private final boolean timed;
    private volatile boolean reading;
    private volatile boolean writing;
    private volatile boolean answered = true;
    private volatile long moved;

    /** Timed means that somebody will ask how long nothing has moved; else no clock is looked at. */
    Traffic(Drain drain, boolean timed) {
        this.drain = drain;
        this.timed = timed;
        touch();
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
        touch();
        reading = true;
        return !(answered && drain.isDraining());
    }

    void endRead(int count) {
        if (count > 0) {
            answered = false;
            touch();
        }
        reading = false;
    }

    void beginWrite() {
        touch();
        writing = true;
    }

    void endWrite() {
        touch();
        writing = false;
        answered = true;
    }

    private void touch() {
        if (timed) {
            moved = System.nanoTime();
        }
    }

    boolean isIdle() {
        return reading && answered;
    }

    /** Whether a read or a write has been waiting, and nothing has moved, for so many nanoseconds before that time. */
    boolean isStalled(long nanos, long now) {
        return (reading || writing) && now - moved > nanos;
    }
}
