package io.fibry.cluster.pekko;

import io.fibry.codec.Codec;
import io.fibry.codec.CodecException;
import java.util.Objects;

/** A codec of messages, and the checks of its results. Any failure is a {@link CodecException}. */
final class CheckedCodec<M> {

    private final Codec<M> codec;
    private final int most;

    /** @param most the maximum number of bytes of a message */
    CheckedCodec(Codec<M> codec, int most) {
        this.codec = Objects.requireNonNull(codec, "messages");
        this.most = most;
    }

    byte[] encoded(M message) {
        byte[] bytes = codec.encode(Objects.requireNonNull(message, "message"));
        checkSize(bytes);
        return bytes;
    }

    void checkSize(byte[] bytes) {
        if (bytes.length > most) {
            throw new CodecException(
                    "a message of " + bytes.length + " bytes is larger than maxMessageBytes, which is " + most, null);
        }
    }

    M decoded(byte[] message) {
        try {
            return Objects.requireNonNull(codec.decode(message), "the decoded message");
        } catch (CodecException e) {
            throw e;
        } catch (Throwable e) { // a codec that fails must not end a thread of Pekko
            throw new CodecException("the codec has failed: " + e, e);
        }
    }
}
