package io.fibry.codec;

import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes messages. Messages within a node are encoded, too: an entity never shares an object with its
 * senders. A codec must be safe for use by any thread, and must not block. {@link RecordCodec} is the codec for
 * records. A reply of null needs no codec.
 *
 * @param <T> the type of the messages
 */
public interface Codec<T extends @Nullable Object> {

    /**
     * Encodes a message. Called by the sender's thread.
     *
     * @throws CodecException if it cannot be encoded
     */
    byte[] encode(T message);

    /**
     * Decodes a message. The bytes may come from a node with another version of the program, or from an attacker.
     *
     * @throws CodecException if it cannot be decoded
     */
    T decode(byte[] bytes);

    /** Returns a codec without values, for entities that do not reply. */
    static Codec<@Nullable Void> none() {
        return NoValues.CODEC;
    }
}
