package io.fibry.codec;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;

/**
 * Keeps bytes up to a limit. Further bytes are only counted, for the size in the error message. Confined to one thread.
 */
final class LimitedOutput extends OutputStream {

    private final ByteArrayOutputStream kept;
    private final int limit;
    private long size;

    LimitedOutput(int limit) {
        kept = new ByteArrayOutputStream(Math.min(limit, 512));
        this.limit = limit;
    }

    @Override
    public void write(int b) {
        size++;
        if (size <= limit) {
            kept.write(b);
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        size += length;
        if (size <= limit) {
            kept.write(bytes, offset, length);
        }
    }

    /** Returns the number of bytes written, including bytes beyond the limit. */
    long written() {
        return size;
    }

    /** Returns the bytes. All of them, if {@link #written} is within the limit. */
    byte[] toByteArray() {
        return kept.toByteArray();
    }
}
