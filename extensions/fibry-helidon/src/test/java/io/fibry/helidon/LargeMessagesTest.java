package io.fibry.helidon;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.fibry.ActorSystem;
import io.helidon.common.buffers.DataReader;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The work for a message grows with its size, not with the square of it. Two mistakes would change this: a copy of the
 * received bytes for each part that arrives, and a wait for the whole frame in Helidon's reader, which counts all its
 * bytes for each part. The test counts allocated and waiting bytes, and does not depend on time.
 */
@Timeout(120)
class LargeMessagesTest {

    private static final int MB = 1 << 20;
    private static final int PART = 8 * 1024; // the size of Helidon's reads from a socket
    private static final ThreadMXBean THREAD =
            (ThreadMXBean) ManagementFactory.getPlatformMXBean(java.lang.management.ThreadMXBean.class);

    /** The input of a client, which arrives in parts. */
    private static final class Input implements Supplier<byte[]> {
        private final byte[] bytes;
        private final int part;
        private final DataReader reader = DataReader.create(this);
        private int at;

        Input(byte[] bytes, int part) {
            this.bytes = bytes;
            this.part = part;
        }

        /** Called when the reader has to wait for more. */
        @Override
        public byte[] get() {
            assertEquals(0, reader.available(), "bytes that are counted again for each part");
            byte[] next = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + part));
            at += next.length;
            return next;
        }
    }

    private static byte[] random(int bytes) {
        byte[] payload = new byte[bytes];
        new Random(bytes).nextBytes(payload);
        return payload;
    }

    /** A message in frames of this size. */
    private static byte[] message(byte[] payload, int frame) {
        var all = new ByteArrayOutputStream(payload.length + payload.length / 8);
        for (int at = 0; at < payload.length; at += frame) {
            int end = Math.min(payload.length, at + frame);
            int opcode = at == 0 ? RawClient.BINARY : RawClient.CONTINUATION;
            all.writeBytes(RawClient.bytes(opcode, end == payload.length, Arrays.copyOfRange(payload, at, end)));
        }
        return all.toByteArray();
    }

    private static byte[] read(Input input) {
        var frames = new FrameReader(input.reader);
        var messages = new MessageAssembler(Integer.MAX_VALUE);
        while (true) {
            frames.next();
            messages.check(frames.opcode(), frames.length());
            WebSocketMessage message = messages.add(frames.opcode(), frames.payload(), frames.isLast());
            if (message instanceof WebSocketMessage.Binary binary) {
                return binary.bytes();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8 * MB, 64 * 1024, 1024})
    void theCopiedBytesAreLinear(int frame) {
        byte[] payload = random(8 * MB);
        var input = new Input(message(payload, frame), PART);
        long before = THREAD.getCurrentThreadAllocatedBytes();
        byte[] read = read(input);
        long allocated = THREAD.getCurrentThreadAllocatedBytes() - before;
        assertArrayEquals(payload, read);
        assertTrue(allocated < 16L * payload.length, () -> allocated + " bytes for " + payload.length);
    }

    /** The mask continues from part to part, and begins again with each frame. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 8, 9, 13, 1000})
    void partsOfEachSizeAreUnmasked(int part) {
        for (int frame : new int[] {1, 5, 100, 130, 70_000}) {
            byte[] payload = random(frame == 70_000 ? 70_000 : 500);
            assertArrayEquals(payload, read(new Input(message(payload, frame), part)), () -> "frames of " + frame);
        }
    }

    @Test
    void aServerEchoesATextOfEightMegabytes() throws Exception {
        var options = Servers.PATIENT.maxMessageBytes(8 * MB);
        String text = "Grüße! ".repeat(8 * MB / 9);
        try (ActorSystem system = ActorSystem.create();
                var client = new RawClient(
                        Servers.start(system, Servers.ECHO, options).port(), "/ws")) {
            client.text(text);
            assertEquals(text, client.read().text());
        }
    }
}
