package io.fibry.cluster;

import org.jspecify.annotations.Nullable;

/**
 * Turns messages into bytes and back, when they go to another node, and to this one too: so an entity never shares an object with its
 * senders, wherever it is. Any thread may call it; it must not
 * wait for anything. {@link RecordCodec} is the one for records. A reply of null needs no codec.
 *
 * @param <T> the type of the messages
 */
public interface Codec<T extends @Nullable Object> {

    /**
     * The bytes of a message. Called by the sender's thread.
     *
     * @throws CodecException if it cannot be encoded
     */
    byte[] encode(T message);

    /**
     * The message of these bytes. They may come from a node that runs another version of the program, or from an attacker.
     *
     * @throws CodecException if it cannot be decoded
     */
    T decode(byte[] bytes);

    /** For entities whose messages have no reply: it accepts no value. */
    static Codec<@Nullable Void> none() {
        return NoReply.CODEC;
    }
}
