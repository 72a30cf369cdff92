package io.fibry.helidon;

import io.helidon.http.http2.Http2ErrorCode;
import io.helidon.http.http2.Http2Exception;
import java.nio.ByteBuffer;

/** The settings that a client sends, in a frame or in the header of an upgrade. */
final class Http2Settings {

    private static final int ENTRY = 6;

    // Names
    private static final int HEADER_TABLE_SIZE = 1;
    private static final int MAX_FRAME_SIZE = 5;

    private static final int MIN_FRAME = 1 << 14;
    private static final int MAX_FRAME = (1 << 24) - 1;

    private Http2Settings() {}

    /**
     * Checks the settings that Helidon does not. A table for the headers of responses has at most the default size,
     * because a larger one could fill the heap; a server may use less than the client allows.
     *
     * @return the settings, in the same array
     * @throws Http2Exception if the size of frames is invalid: Helidon would fail when it reports that
     */
    static byte[] checked(byte[] settings) {
        ByteBuffer entries = ByteBuffer.wrap(settings);
        for (int at = 0; at + ENTRY <= settings.length; at += ENTRY) {
            long value = entries.getInt(at + 2) & 0xFFFF_FFFFL;
            int name = entries.getShort(at);
            if (name == HEADER_TABLE_SIZE && value > HpackTable.MAX_SIZE) {
                entries.putInt(at + 2, HpackTable.MAX_SIZE);
            } else if (name == MAX_FRAME_SIZE && (value < MIN_FRAME || value > MAX_FRAME)) {
                throw new Http2Exception(Http2ErrorCode.PROTOCOL, "The size of frames is out of range");
            }
        }
        return settings;
    }
}
