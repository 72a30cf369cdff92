package io.fibry.helidon;

import io.helidon.common.buffers.BufferData;
import io.helidon.websocket.ClientWsFrame;
import io.helidon.websocket.WsCloseException;
import io.helidon.websocket.WsOpCode;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Joins the frames of a message. By one thread. */
final class MessageAssembler {

    private static final int MOST_OF_CONTROL = 125;

    private final int most;

    /** What has come of a message in several frames; null if there is none. */
    private @Nullable ByteArrayOutputStream before;

    private boolean text;

    MessageAssembler(int mostBytes) {
        most = mostBytes;
    }

    int mostBytes() {
        return most;
    }

    /** Checks what Helidon does not: control frames are short and whole. */
    static void check(ClientWsFrame frame) {
        boolean control = frame.opCode().code() >= WsOpCode.CLOSE.code();
        if (control && (!frame.fin() || frame.payloadLength() > MOST_OF_CONTROL)) {
            throw new WsCloseException("a control frame is too long or divided", CloseStatus.PROTOCOL_ERROR);
        }
    }

    /**
     * Adds a frame.
     *
     * @return the message if this was its last frame, else null
     * @throws WsCloseException if the frame is out of place, or the message is too large or not valid UTF-8
     */
    @Nullable
    WebSocketMessage add(WsOpCode code, BufferData payload, boolean last) {
        ByteArrayOutputStream parts = before;
        if ((code == WsOpCode.CONTINUATION) != (parts != null)) {
            throw new WsCloseException("a frame is out of place", CloseStatus.PROTOCOL_ERROR);
        }
        if ((parts == null ? 0 : parts.size()) + payload.available() > most) {
            throw new WsCloseException("the message is too large", CloseStatus.TOO_LARGE);
        }
        if (parts == null) {
            text = code == WsOpCode.TEXT;
            if (last) {
                return message(payload.readBytes());
            }
            parts = new ByteArrayOutputStream();
        }
        parts.writeBytes(payload.readBytes());
        before = last ? null : parts;
        return last ? message(parts.toByteArray()) : null;
    }

    private WebSocketMessage message(byte[] bytes) {
        return text ? new WebSocketMessage.Text(decoded(bytes)) : new WebSocketMessage.Binary(bytes);
    }

    private static String decoded(byte[] bytes) {
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
