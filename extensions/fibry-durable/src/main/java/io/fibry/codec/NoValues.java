package io.fibry.codec;

import org.jspecify.annotations.Nullable;

/** A codec without values. */
enum NoValues implements Codec<@Nullable Void> {
    CODEC;

    @Override
    public byte[] encode(@Nullable Void message) {
        throw new CodecException("this codec is for no values", null);
    }

    @Override
    public @Nullable Void decode(byte[] bytes) {
        throw new CodecException("this codec is for no values", null);
    }
}
