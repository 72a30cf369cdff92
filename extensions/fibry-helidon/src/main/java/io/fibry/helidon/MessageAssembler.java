package io.fibry.helidon;

import io.helidon.websocket.WsCloseException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Joins the frames of a message. By one thread. */
final class MessageAssembler {

    private final int most;

    /** The received part of a message in several frames; null if there is none. */
    private @Nullable ByteArrayOutputStream before;

    private boolean text;

    MessageAssembler(int mostBytes) {
        most = mostBytes;
    }

    /**
     * Checks a frame before its payload is read.
     *
     * @throws WsCloseException if the frame is out of place, or the message is too large
     */
    void check(int opcode, long length) {
        ByteArrayOutputStream parts = before;
        if ((opcode == FrameReader.CONTINUATION) != (parts != null)) {
            throw new WsCloseException("a frame is out of place", CloseStatus.PROTOCOL_ERROR);
        }
        if (length > most - (parts == null ? 0 : parts.size())) {
            throw new WsCloseException("the message is too large", CloseStatus.TOO_LARGE);
        }
    }

    /**
     * Adds a frame that has been {@linkplain #check checked}.
     *
     * @return the message if this was its last frame, else null
     * @throws WsCloseException if the message is not valid UTF-8
     */
    @Nullable
    WebSocketMessage add(int opcode, byte[] payload, boolean last) {
        ByteArrayOutputStream parts = before;
        if (parts == null) {
            text = opcode == FrameReader.TEXT;
            if (last) {
                return message(payload);
            }
            parts = new ByteArrayOutputStream(payload.length);
        }
        parts.writeBytes(payload);
        before = last ? null : parts;
        return last ? message(parts.toByteArray()) : null;
    }

    private WebSocketMessage message(byte[] bytes) {
        return text ? new WebSocketMessage.Text(decoded(bytes)) : new WebSocketMessage.Binary(bytes);
    }

    /** @throws WsCloseException if this is not valid UTF-8 */
    static String decoded(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new WsCloseException("the text is not valid UTF-8", CloseStatus.INVALID_TEXT);
        }
    }
}
