package io.fibry.helidon;

import java.util.Objects;

/** A whole message of a WebSocket, in either direction. */
public sealed interface WebSocketMessage {

    /** A text message. */
    record Text(String text) implements WebSocketMessage {
        public Text {
            Objects.requireNonNull(text, "text");
        }
    }

    /**
     * A binary message. The array is not copied, so do not change it afterwards.
     *
     * <p>Two messages are equal if they have the same array, as records are.
     */
    @SuppressWarnings("ArrayRecordComponent") // a copy of each message would cost more than it protects
    record Binary(byte[] bytes) implements WebSocketMessage {
        public Binary {
            Objects.requireNonNull(bytes, "bytes");
        }
    }
}
