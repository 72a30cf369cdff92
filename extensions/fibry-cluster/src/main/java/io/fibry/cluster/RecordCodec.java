package io.fibry.cluster;

/** Placeholder for the compiler until its commit. */
public final class RecordCodec<T> implements Codec<T> {
    private RecordCodec() {}

    /** The codec. */
    public static <T> RecordCodec<T> of(Class<T> type) {
        if (type.isRecord()) {
            throw new UnsupportedOperationException(type.getName());
        }
        return new RecordCodec<>();
    }

    @Override
    public byte[] encode(T message) {
        return message.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    @Override
    public T decode(byte[] bytes) {
        throw new CodecException("" + bytes.length, null);
    }
}
