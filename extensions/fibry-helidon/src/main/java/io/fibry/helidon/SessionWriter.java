package io.fibry.helidon;

import io.fibry.ThrowingConsumer;
import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataWriter;
import io.helidon.websocket.WsOpCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The behavior of a session's actor. It alone writes to the client, so messages keep their order and frames are whole.
 */
final class SessionWriter implements ThrowingConsumer<Object> {

    // Control frames for the actor
    static final Object PING = new Object();
    static final Object CLOSE = new Object();
    private static final Object PONG = new Object();

    private static final int LAST = 0x80;
    private static final int ONE_BYTE = 126;
    private static final int TWO_BYTES = 1 << 16;

    private final DataWriter out;
    private final SessionLink link;

    /** The payload of the next pong. Only the newest ping needs an answer, so pings cannot fill the heap. */
    private final AtomicReference<byte @Nullable []> pong = new AtomicReference<>();

    private boolean closed; // whether the close frame has been written; for the actor only

    SessionWriter(DataWriter out, SessionLink link) {
        this.out = out;
        this.link = link;
    }

    /** Answers a ping, soon. Called by the reader. */
    void pong(byte[] payload) {
        if (pong.getAndSet(payload) == null) {
            link.control(PONG);
        }
    }

    @Override
    public void accept(Object message) throws InterruptedException {
        if (message == CLOSE) {
            close();
        } else if (!link.isOver()) {
            link.write(() -> send(message));
        }
    }

    /** Writes the close frame, once. Called by the actor. */
    void close() throws InterruptedException {
        CloseStatus status = link.status();
        if (!closed && status != null && status.code() != CloseStatus.LOST) {
            closed = true;
            link.write(() -> frame(WsOpCode.CLOSE, payload(status)));
            link.closeFrameWritten();
        }
    }

    private static byte[] payload(CloseStatus status) {
        if (status.code() == CloseStatus.NONE) {
            return new byte[0];
        }
        byte[] reason = status.byClient() ? new byte[0] : status.reason().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(2 + reason.length)
                .putShort((short) status.code())
                .put(reason)
                .array();
    }

    private void send(Object message) {
        if (message instanceof WebSocketMessage.Text text) {
            frame(WsOpCode.TEXT, text.text().getBytes(StandardCharsets.UTF_8));
        } else if (message instanceof WebSocketMessage.Binary binary) {
            frame(WsOpCode.BINARY, binary.bytes());
        } else if (message == PING) {
            frame(WsOpCode.PING, new byte[0]);
        } else {
            byte[] payload = pong.getAndSet(null);
            if (payload != null) {
                frame(WsOpCode.PONG, payload);
            }
        }
    }

    private void frame(WsOpCode code, byte[] payload) {
        int length = payload.length;
        BufferData frame = BufferData.create(length + 10);
        frame.write(LAST | code.code());
        if (length < ONE_BYTE) {
            frame.write(length);
        } else if (length < TWO_BYTES) {
            frame.write(ONE_BYTE);
            frame.writeInt16(length);
        } else {
            frame.write(ONE_BYTE + 1);
            frame.writeInt32(0);
            frame.writeInt32(length);
        }
        frame.write(payload);
        out.writeNow(frame);
    }
}
