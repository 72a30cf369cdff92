package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fibry.codec.CodecException;
import io.fibry.codec.RecordCodec;
import io.fibry.durable.DurableMessage.Keyed;
import io.fibry.durable.DurableMessage.Plain;
import io.fibry.durable.DurableMessage.Wake;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DurableMessageCodecTest {

    private static final DurableMessageCodec<String> CODEC = new DurableMessageCodec<>(RecordCodec.of(String.class));

    private static void assertUnchanged(DurableMessage<String> message) {
        assertEquals(message, CODEC.decode(CODEC.encode(message)));
    }

    @Test
    void messagesOfAllKinds() {
        assertUnchanged(new Plain<>("hello"));
        assertUnchanged(new Plain<>(""));
        assertUnchanged(new Keyed<>("k", "hello"));
        assertUnchanged(new Keyed<>("😀".repeat(50), "hello"));
        assertUnchanged(new Wake<>(Instant.ofEpochMilli(Long.MAX_VALUE)));
        assertUnchanged(new Wake<>(Instant.EPOCH));
    }

    @Test
    void bytesThatAreNotAMessage() {
        byte[] keyed = CODEC.encode(new Keyed<>("key", "hello"));
        byte[] wake = CODEC.encode(new Wake<>(Instant.EPOCH));
        byte[][] all = {
            {},
            {3},
            {0},
            {1},
            {1, 0},
            {1, 0, 0},
            {1, 0, 9, 65},
            {2},
            {2, 1},
            Arrays.copyOf(keyed, 6),
            Arrays.copyOf(wake, wake.length + 1)
        };
        for (byte[] bytes : all) {
            assertThrows(CodecException.class, () -> CODEC.decode(bytes), Arrays.toString(bytes));
        }
    }

    @Test
    void randomBytes() {
        var random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            var bytes = new byte[random.nextInt(20)];
            random.nextBytes(bytes);
            if (bytes.length > 0) {
                bytes[0] = (byte) random.nextInt(4);
            }
            try {
                DurableMessage<String> unused = CODEC.decode(bytes);
            } catch (CodecException e) {
                assertEquals(CodecException.class, e.getClass());
            }
        }
    }
}
