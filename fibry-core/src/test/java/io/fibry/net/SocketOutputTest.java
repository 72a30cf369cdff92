package io.fibry.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Test;

class SocketOutputTest {

    /** The write makes the connection idle, but this socket is not connected, so its input cannot be ended. */
    @Test
    void aWriteDoesNotFailBecauseTheInputCannotBeEnded() throws Exception {
        var activity = new ConnectionActivity(() -> true, false);
        try (var socket = new AcceptedSocket(activity);
                var written = new ByteArrayOutputStream();
                var out = new SocketOutput(written, socket)) {
            activity.beginRead();
            out.write('x');
            assertTrue(activity.isIdle(0));
            assertArrayEquals(new byte[] {'x'}, written.toByteArray());
        }
    }
}
