package io.fibry.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** {@link FlatRecord} has the same results as Jackson. */
class FlatRecordTest {

    sealed interface Message {

        record Many(long z, int b, double getA, float d, boolean isE, String X, long f) implements Message {}

        record One(long value) implements Message {}

        record Positive(int value) implements Message {

            static int calls;

            public Positive {
                calls++;
                if (value < 0) {
                    throw new IllegalArgumentException("negative");
                }
            }
        }

        record None() implements Message {}
    }

    private static final RecordCodec<Message> CODEC = RecordCodec.of(Message.class);
    private static final List<FlatRecord> FLAT = List.of(
            FlatRecord.of(Message.Many.class),
            FlatRecord.of(Message.One.class),
            FlatRecord.of(Message.Positive.class),
            FlatRecord.of(Message.None.class));

    private static Object decoded(byte[] bytes) {
        for (FlatRecord flat : FLAT) {
            if (flat.isHeadOf(bytes)) {
                return flat.decode(bytes);
            }
        }
        return null;
    }

    private static Message random(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> new Message.One(number(random));
            case 1 -> new Message.Positive(random.nextInt(Integer.MAX_VALUE));
            case 2 -> new Message.None();
            default ->
                new Message.Many(
                        number(random),
                        (int) number(random),
                        Double.longBitsToDouble(random.nextLong()),
                        Float.intBitsToFloat(random.nextInt()),
                        random.nextBoolean(),
                        random.nextInt(9) == 0 ? null : "x".repeat(random.nextInt(300)),
                        number(random));
        };
    }

    /** All lengths of the encoding are about equally frequent. */
    private static long number(Random random) {
        return random.nextLong() >> random.nextInt(64);
    }

    /** Otherwise Jackson encodes in another form than before. */
    @Test
    void whatIsEncodedIsDecodedWithoutJackson() {
        var random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            Message message = random(random);
            assertEquals(message, decoded(CODEC.encode(message)));
        }
        for (long limit : new long[] {
            0, 23, 24, 255, 256, 65_535, 65_536, Integer.MAX_VALUE, 1L << 32, Long.MAX_VALUE, -24, -25, Long.MIN_VALUE
        }) {
            for (long value = limit - 1; value != limit + 2; value++) {
                var message = new Message.One(value);
                assertEquals(message, decoded(CODEC.encode(message)));
            }
        }
    }

    @Test
    void otherBytesHaveTheResultOfJackson() {
        var random = new Random(2);
        int valid = 0;
        for (int i = 0; i < 200_000; i++) {
            byte[] bytes = changed(CODEC.encode(random(random)), random);
            String result = outcome(() -> CODEC.decode(bytes));
            assertEquals(
                    outcome(() -> CODEC.parsed(bytes)),
                    result,
                    () -> HexFormat.of().formatHex(bytes));
            valid += result.contains("Exception") ? 0 : 1;
        }
        assertTrue(valid > 10_000, "only " + valid + " were valid");
    }

    private static byte[] changed(byte[] bytes, Random random) {
        byte[] changed = random.nextInt(8) == 0
                ? Arrays.copyOf(bytes, Math.max(0, bytes.length + random.nextInt(9) - 4))
                : bytes.clone();
        for (int i = random.nextInt(3); i >= 0 && changed.length > 0; i--) {
            // The first bytes are the most interesting ones
            int at = random.nextInt(random.nextBoolean() ? changed.length : Math.min(changed.length, 30));
            changed[at] = (byte) (random.nextBoolean() ? random.nextInt() : changed[at] ^ 1 << random.nextInt(8));
        }
        return changed;
    }

    private static String outcome(Supplier<Object> decoding) {
        try {
            return decoding.get().toString();
        } catch (CodecException e) {
            return e.toString();
        }
    }

    @Test
    void textThatIsNotAsciiIsLeftToJackson() {
        var message = new Message.Many(1, 2, 3, 4, true, "Zürich", 5);
        byte[] bytes = CODEC.encode(message);
        assertNull(decoded(bytes));
        assertEquals(message, CODEC.decode(bytes));
        int letter = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("rich") - 1;
        bytes[letter] = 'x'; // the second byte of the letter before
        assertThrows(CodecException.class, () -> CODEC.decode(bytes));
    }

    @Test
    void theConstructorRefuses() {
        byte[] bytes = CODEC.encode(new Message.Positive(1));
        bytes[bytes.length - 2] = 0x20; // -1
        Message.Positive.calls = 0;
        var e = assertThrows(CodecException.class, () -> CODEC.decode(bytes));
        assertTrue(e.getMessage().endsWith("negative"), e.getMessage());
        assertEquals(2, Message.Positive.calls, "not called by FlatRecord and then by Jackson");
    }

    private record Nested(Message.One one) {}

    private record Boxed(Long value) {}

    private record ANameOfMoreThan23Letters(long value) {}

    private record Enough(long value) {}

    @Test
    void otherRecordsAreLeftToJackson() {
        assertNull(FlatRecord.of(Nested.class));
        assertNull(FlatRecord.of(Boxed.class));
        assertNull(FlatRecord.of(ANameOfMoreThan23Letters.class));
        assertNull(FlatRecord.of(Long.class));
        assertNotNull(FlatRecord.of(Enough.class));
    }
}
