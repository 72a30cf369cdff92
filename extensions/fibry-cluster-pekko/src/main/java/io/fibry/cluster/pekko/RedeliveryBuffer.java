package io.fibry.cluster.pekko;

import io.fibry.cluster.pekko.Packet.ToEntity;
import java.util.concurrent.atomic.AtomicLong;

/** The size of the messages that wait for {@link Redelivery}, which has a limit: beyond it, a node refuses messages. */
final class RedeliveryBuffer {

    private static final long MOST_BYTES = 64L << 20;

    /** The approximate number of bytes of a message without its content. */
    private static final long OVERHEAD = 400;

    private final AtomicLong bytes = new AtomicLong();

    void add(ToEntity packet) {
        bytes.addAndGet(size(packet));
    }

    void remove(ToEntity packet) {
        bytes.addAndGet(-size(packet));
    }

    private static long size(ToEntity packet) {
        return packet.message.length + OVERHEAD;
    }

    boolean hasRoom() {
        return bytes.get() < MOST_BYTES;
    }

    /** The number of waiting bytes. Modifiable, for tests. */
    AtomicLong bytes() {
        return bytes;
    }
}
