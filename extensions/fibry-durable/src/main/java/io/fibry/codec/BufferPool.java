package io.fibry.codec;

import java.util.concurrent.atomic.AtomicReferenceArray;
import tools.jackson.core.util.BufferRecycler;
import tools.jackson.core.util.RecyclerPool;

/**
 * Keeps the buffers of parsers and generators for their next use. A thread takes the buffers of its slot out, so no
 * other thread uses them, and puts them back later; threads of the same slot create their own meanwhile.
 *
 * <p>Jackson's default pool is a concurrent queue, which takes a third of the time of decoding a small record. Its pool
 * per thread would keep buffers for each virtual thread.
 */
final class BufferPool implements RecyclerPool<BufferRecycler> {

    private static final long serialVersionUID = 1;

    /** A power of two. */
    private static final int SLOTS = 16;

    /** The buffers do not depend on the codec. */
    static final BufferPool SHARED = new BufferPool();

    private final transient AtomicReferenceArray<BufferRecycler> slots = new AtomicReferenceArray<>(SLOTS);

    private BufferPool() {}

    private Object readResolve() {
        return SHARED;
    }

    private static int slot() {
        return (int) Thread.currentThread().threadId() & (SLOTS - 1);
    }

    @Override
    public BufferRecycler acquirePooled() {
        BufferRecycler pooled = slots.getAndSet(slot(), null);
        return pooled == null ? new BufferRecycler() : pooled;
    }

    @Override
    public void releasePooled(BufferRecycler pooled) {
        slots.set(slot(), pooled);
    }
}
