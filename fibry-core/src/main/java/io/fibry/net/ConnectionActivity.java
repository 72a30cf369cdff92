package io.fibry.net;

/**
 * Records the reads and writes of a connection: whether it is idle, and how long nothing has moved. One thread may read
 * while another writes.
 *
 * <p>A connection is <i>idle</i> while its handler waits in a read, and has read nothing since its last write, or
 * nothing at all. As far as this class can know without the protocol, it has then answered every request. This test is
 * useless if the written data does not answer the data that was read, as in a forwarder. Such a connection is idle
 * while its handler waits in a read, and nothing has moved for {@link Drain#quietNanos}.
 */
final class ConnectionActivity {

    /** Whether the connections of an acceptor have to end as soon as they are idle. */
    interface Drain {
        boolean isDraining();

        /** How long nothing must have moved before a connection is idle; 0 if its answers decide. In nanoseconds. */
        default long quietNanos() {
            return 0;
        }
    }

    private final Drain drain;
    private final boolean timed;
    private volatile boolean reading;
    private volatile boolean writing;
    private volatile boolean answered = true;
    private volatile boolean forwarded;
    private volatile boolean usesMessages;
    private volatile long moved;

    /** When the current wait for input began. Reads that ended without input, as by a timeout, are part of it. */
    private volatile long readSince;

    /** How long the reads since data last moved have waited. Accessed by the reading thread only. */
    private long waitedInVain;

    /** If not timed, the clock is never read, and {@link #isStalled} and {@link Drain#quietNanos} must not be used. */
    ConnectionActivity(Drain drain, boolean timed) {
        this.drain = drain;
        this.timed = timed;
        touch();
        readSince = moved;
    }

    /** Whether a large write has to be split, so that its progress is recorded. */
    boolean isTimed() {
        return timed;
    }

    /**
     * Announces a read that may wait.
     *
     * <p>Invariant: once a drain has been requested, an idle connection does not wait in a read. This thread sets
     * {@code reading}, then reads {@code answered} and the drain flag. A writer sets {@code answered}, then reads
     * {@code reading} and the drain flag. A stop sets the drain flag, then reads {@code reading} and {@code answered}.
     *
     * <p>All three are volatile, so these accesses have one total order. If this thread's store is the last of the
     * three, this method returns false. Otherwise the thread of the last store sees the other two, and ends the input.
     * With {@link Drain#quietNanos}, a timer ends it instead.
     *
     * @return false if the read must not wait, because the connection is idle and has to end
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

    /**
     * Records that the last byte of a buffer has been read. A write between {@link #endRead} and this call cannot have
     * answered that byte. Only for the reading thread, before it passes on the byte.
     */
    void endBuffer() {
        if (answered) { // a volatile read costs less than a write
            answered = false;
        }
    }

    /**
     * Records that the data read until now needs no answer. Only for the reading thread, between two reads: its next
     * {@link #beginRead} then sees the drain flag.
     */
    void nothingToAnswer() {
        answered = true;
    }

    void beginWrite() {
        touch();
        writing = true;
    }

    /**
     * Returns true if another thread waits in a read and, now that the write is done, the connection may have to end.
     */
    boolean endWrite() {
        touch();
        writing = false;
        if (!usesMessages) {
            answered = true;
        }
        return reading && endsWhenAnswered();
    }

    /**
     * Records that from now on a thread waits for data to move, in one direction or the other. A forwarder does not
     * always wait here: once the client has sent all, it waits for the target only. Each move between client and target
     * is a read or a write here, or else is recorded by {@link #touch}. {@code moved} is written before {@code
     * forwarded}, so that no check counts the time before.
     */
    void beginForwarding() {
        touch();
        forwarded = true;
    }

    /**
     * From now on, the connection is idle while its reader waits for the first byte of a message, and writes do not
     * matter: a client that only sends gets no answers. The reader calls {@link #nothingToAnswer} before it reads that
     * byte, and {@link #beginMessage} after it. This thread sets {@code answered} before {@link #beginRead}, so the
     * order that is explained there holds.
     */
    void useMessages() {
        usesMessages = true;
    }

    /** The byte may have come from a buffer, without a read that {@link #endRead} has seen. */
    void beginMessage() {
        answered = false;
    }

    boolean isDraining() {
        return drain.isDraining();
    }

    private boolean endsWhenAnswered() {
        return drain.isDraining() && drain.quietNanos() == 0;
    }

    /** Records that data has moved. */
    void touch() {
        if (timed) {
            moved = System.nanoTime();
        }
    }

    boolean isIdle(long now) {
        long quiet = drain.quietNanos();
        return reading && (quiet == 0 ? answered : !writing && now - lastMove() > quiet);
    }

    /**
     * Whether, at the given time, a read or a write has waited for longer than this while nothing moved. If the
     * connection is forwarded, whether nothing has moved for longer than this.
     */
    boolean isStalled(long nanos, long now) {
        return ((reading || forwarded) && now - lastMove() > nanos) || (writing && now - moved > nanos);
    }

    /** When data last moved, or when the wait of the read began, whichever is later. */
    private long lastMove() {
        long began = readSince;
        long last = moved;
        return began - last > 0 ? began : last;
    }
}
