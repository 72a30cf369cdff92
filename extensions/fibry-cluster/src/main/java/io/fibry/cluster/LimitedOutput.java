package io.fibry.cluster;

import java.io.ByteArrayOutputStream;

/** Keeps what is written up to a limit. From there on it only counts, so that the message of the error can tell the size. */
final class LimitedOutput extends ByteArrayOutputStream {

    private final int limit;
    private long size;

    LimitedOutput(int limit) {
        super(Math.min(limit, 512));
        this.limit = limit;
    }

    @Override
    public synchronized void write(int b) {
        size++;
        if (size <= limit) {
            super.write(b);
        }
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
        size += length;
        if (size <= limit) {
            super.write(bytes, offset, length);
        }
    }

    /** The size of all that has been written, also of what was not kept. */
    long written() {
        return size;
    }
}
