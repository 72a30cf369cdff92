package io.fibry.durable;

import io.fibry.codec.Codec;
import io.fibry.codec.CodecException;
import io.fibry.durable.DurableMessage.Keyed;
import io.fibry.durable.DurableMessage.Plain;
import io.fibry.durable.DurableMessage.Wake;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/**
 * Encodes messages between nodes: a byte for the kind, and then the message; or the length of the request's key as a
 * 16-bit number, the key in UTF-8, and the message; or the time in milliseconds since 1970 as a 64-bit number.
 */
record DurableMessageCodec<M>(Codec<M> messages) implements Codec<DurableMessage<M>> {

    private static final byte PLAIN = 0;
    private static final byte KEYED = 1;
    private static final byte WAKE = 2;

    @Override
    public byte[] encode(DurableMessage<M> message) {
        return switch (message) {
            case Plain<M> plain -> join(new byte[] {PLAIN}, new byte[0], messages.encode(plain.message()));
            case Keyed<M> keyed -> {
                byte[] key = keyed.requestKey().getBytes(StandardCharsets.UTF_8);
                byte[] head = {KEYED, (byte) (key.length >> 8), (byte) key.length};
                yield join(head, key, messages.encode(keyed.message()));
            }
            case Wake<M> wake ->
                ByteBuffer.allocate(1 + Long.BYTES)
                        .put(WAKE)
                        .putLong(wake.now().toEpochMilli())
                        .array();
        };
    }

    private static byte[] join(byte[] first, byte[] second, byte[] third) {
        return ByteBuffer.allocate(first.length + second.length + third.length)
                .put(first)
                .put(second)
                .put(third)
                .array();
    }

    @Override
    public DurableMessage<M> decode(byte[] bytes) {
        if (bytes.length == 0) {
            throw new CodecException("no bytes", null);
        }
        return switch (bytes[0]) {
            case PLAIN -> new Plain<>(messages.decode(Arrays.copyOfRange(bytes, 1, bytes.length)));
            case KEYED -> keyed(bytes);
            case WAKE -> wake(bytes);
            default -> throw new CodecException("unknown kind of message: " + bytes[0], null);
        };
    }

    private DurableMessage<M> keyed(byte[] bytes) {
        int length = bytes.length < 3 ? 0 : ByteBuffer.wrap(bytes).getShort(1) & 0xffff;
        if (length == 0 || 3 + length > bytes.length) {
            throw new CodecException("a request without its key", null);
        }
        var key = new String(bytes, 3, length, StandardCharsets.UTF_8);
        return new Keyed<>(key, messages.decode(Arrays.copyOfRange(bytes, 3 + length, bytes.length)));
    }

    private DurableMessage<M> wake(byte[] bytes) {
        if (bytes.length != 1 + Long.BYTES) {
            throw new CodecException("a time has " + Long.BYTES + " bytes, not " + (bytes.length - 1), null);
        }
        return new Wake<>(Instant.ofEpochMilli(ByteBuffer.wrap(bytes).getLong(1)));
    }
}
