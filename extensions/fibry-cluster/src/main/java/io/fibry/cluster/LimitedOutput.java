package io.fibry.cluster;

import java.io.ByteArrayOutputStream;

/** Keeps bytes up to a limit. Further bytes are only counted, for the size in the error message. */
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

    /** The number of bytes written, including bytes beyond the limit. */
    long written() {
        return size;
    }
}
