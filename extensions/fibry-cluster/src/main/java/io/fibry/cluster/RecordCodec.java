package io.fibry.cluster;

/** Placeholder for the compiler until its commit. */
public final class RecordCodec<T> implements Codec<T> {
    private RecordCodec() {}

    /** The codec. */
    public static <T> RecordCodec<T> of(Class<T> type) {
        throw new UnsupportedOperationException(type.getName());
    }

    @Override
    public byte[] encode(T message) {
        throw new UnsupportedOperationException();
    }

    @Override
    public T decode(byte[] bytes) {
        throw new UnsupportedOperationException();
    }
}
