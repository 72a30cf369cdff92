package io.fibry.helidon;

import io.helidon.websocket.WsCloseException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * Why a WebSocket was closed.
 *
 * @param code the status code of RFC 6455, such as {@link #NORMAL}
 * @param reason a short text, perhaps empty
 * @param byClient whether the client closed it, or was lost
 */
public record CloseStatus(int code, String reason, boolean byClient) {

    /** The session has done its work. */
    public static final int NORMAL = 1000;

    /** The server stops, or the client has been idle for too long. */
    public static final int GOING_AWAY = 1001;

    /** The client broke the protocol. */
    public static final int PROTOCOL_ERROR = 1002;

    /** The client closed the session without a status. Never sent. */
    public static final int NONE = 1005;

    /** There was no close: the connection was lost, or it was cut because the client was too slow. Never sent. */
    public static final int LOST = 1006;

    /** A message is not valid UTF-8. */
    public static final int INVALID_TEXT = 1007;

    /** The client broke a rule of the endpoint. */
    public static final int POLICY = 1008;

    /** A message is larger than the endpoint allows. */
    public static final int TOO_LARGE = 1009;

    /** The session's actor has failed. */
    public static final int FAILED = 1011;

    /** The session's actor has too many messages that wait. */
    public static final int OVERLOADED = 1013;

    private static final int MOST_BYTES = 123; // the room in a close frame

    public CloseStatus {
        Objects.requireNonNull(reason, "reason");
    }

    /** A status for a close frame. */
    static CloseStatus toSend(int code, String reason) {
        if (!maySend(code)) {
            throw new IllegalArgumentException("the status " + code
                    + " must not be sent; use 1000, 1001, 1007 to 1014, or one of your own from 3000 to 4999");
        }
        if (reason.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES) {
            throw new IllegalArgumentException("the reason of a close must have at most " + MOST_BYTES + " bytes");
        }
        return new CloseStatus(code, reason, false);
    }

    /** The status of a session that ends without a close frame. */
    static CloseStatus lost(String why) {
        return new CloseStatus(LOST, why, true);
    }

    /**
     * The status in the payload of a client's close frame; {@link #NONE} if the payload is empty.
     *
     * @throws WsCloseException if a peer must not send the code, or the reason is not valid UTF-8
     */
    static CloseStatus received(byte[] payload) {
        if (payload.length == 0) {
            return new CloseStatus(NONE, "", true);
        }
        if (payload.length < 2 || !maySend(ByteBuffer.wrap(payload).getShort() & 0xFFFF)) {
            throw new WsCloseException("a close frame has an invalid status", PROTOCOL_ERROR);
        }
        String reason = MessageAssembler.decoded(Arrays.copyOfRange(payload, 2, payload.length));
        return new CloseStatus(ByteBuffer.wrap(payload).getShort() & 0xFFFF, reason, true);
    }

    private static boolean maySend(int code) {
        return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) || (code >= 3000 && code <= 4999);
    }
}
