package io.fibry.cluster.pekko;

import io.fibry.cluster.pekko.Packet.ToEntity;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The messages that wait for {@link Redelivery}: their size, which has a limit beyond which a node refuses messages,
 * and the nodes for whose entities messages are held.
 */
final class RedeliveryBuffer {

    private static final long MOST_BYTES = 64L << 20;

    /** The approximate number of bytes of a message without its content. */
    private static final long OVERHEAD = 400;

    private final AtomicLong bytes = new AtomicLong();
    private volatile Set<Long> heldFor = Set.of();

    void add(ToEntity packet) {
        bytes.addAndGet(size(packet));
    }

    void remove(ToEntity packet) {
        bytes.addAndGet(-size(packet));
    }

    private static long size(ToEntity packet) {
        return packet.message.length + OVERHEAD;
    }

    /** The identities of the nodes for whose entities messages are held. Usually empty. */
    Set<Long> heldFor() {
        return heldFor;
    }

    void holdFor(Set<Long> nodes) {
        heldFor = Set.copyOf(nodes);
    }

    boolean hasRoom() {
        return bytes.get() < MOST_BYTES;
    }

    /** The number of waiting bytes. Modifiable, for tests. */
    AtomicLong bytes() {
        return bytes;
    }
}
