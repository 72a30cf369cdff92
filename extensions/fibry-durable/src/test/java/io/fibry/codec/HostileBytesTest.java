package io.fibry.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.Period;
import java.time.Year;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Malicious bytes: {@link RecordCodec} throws a {@link CodecException} or returns a valid value, in bounded time and
 * memory.
 */
@Timeout(60)
class HostileBytesTest {

    @SuppressWarnings("ArrayRecordComponent")
    sealed interface Message {
        record Numbers(
                int integer,
                long large,
                Integer boxed,
                double real,
                BigInteger big,
                BigDecimal decimal,
                List<Integer> list)
                implements Message {}

        record Texts(String text, URI uri, UUID uuid, List<byte[]> bytes, char[] letters, List<String> list)
                implements Message {}

        record Rest(
                Kind kind,
                Optional<Message> inner,
                Map<String, List<Message>> map,
                Duration duration,
                Instant instant,
                ZonedDateTime time,
                boolean flag,
                int[] numbers)
                implements Message {}

        enum Kind implements Message {
            A,
            B
        }
    }

    private static final RecordCodec<Message> CODEC = RecordCodec.of(Message.class);

    private static List<byte[]> valid() {
        var texts = new Message.Texts(
                "text",
                URI.create("http://a/b"),
                new UUID(1, 2),
                List.of(new byte[] {1, 2, 3}, new byte[300]),
                new char[] {'a'},
                List.of("x".repeat(30), "y".repeat(5000)));
        var numbers = new Message.Numbers(
                1, -2, 3, 4.5, BigInteger.ONE.shiftLeft(100), new BigDecimal("12.345"), List.of(1, 1000, 100_000));
        var rest = new Message.Rest(
                Message.Kind.B,
                Optional.of(numbers),
                Map.of("k", List.of(Message.Kind.A, numbers)),
                Duration.ofSeconds(5),
                Instant.EPOCH,
                ZonedDateTime.parse("2024-01-02T03:04:05+01:00[Europe/Berlin]"),
                true,
                new int[] {1, 2});
        return List.of(CODEC.encode(texts), CODEC.encode(numbers), CODEC.encode(rest), CODEC.encode(Message.Kind.A));
    }

    /** Returns whether the bytes have been decoded. */
    private static boolean decode(byte[] bytes) {
        return decode(CODEC, bytes);
    }

    private static boolean decode(RecordCodec<?> codec, byte[] bytes) {
        try {
            assertNotNull(codec.decode(bytes));
            return true;
        } catch (CodecException e) {
            assertTrue(Objects.requireNonNull(e.getMessage()).length() < 600, "a long message");
            return false;
        }
    }

    @Test
    void randomBytes() {
        var random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            var bytes = new byte[random.nextInt(60)];
            random.nextBytes(bytes);
            decode(bytes);
        }
    }

    /** Random bytes after a valid prefix reach deeper code. */
    @Test
    void randomEnds() {
        var random = new Random(2);
        for (byte[] valid : valid()) {
            for (int i = 0; i < 5000; i++) {
                byte[] bytes = Arrays.copyOf(valid, valid.length);
                for (int j = random.nextInt(bytes.length); j < bytes.length; j++) {
                    bytes[j] = (byte) random.nextInt();
                }
                decode(bytes);
            }
        }
    }

    @Test
    void mutations() {
        var random = new Random(3);
        int decoded = 0;
        for (byte[] valid : valid()) {
            assertTrue(decode(valid));
            for (int i = 0; i < 10_000; i++) {
                decoded += decode(mutated(valid, random)) ? 1 : 0;
            }
        }
        assertTrue(decoded > 1000, decoded + " were valid: the mutations do not get far");
    }

    private static byte[] mutated(byte[] valid, Random random) {
        byte[] bytes = Arrays.copyOf(valid, valid.length);
        for (int i = random.nextInt(3); i >= 0; i--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] = (byte) random.nextInt();
                case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 2 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
                default -> {
                    int to = random.nextInt(bytes.length);
                    int length = Math.min(random.nextInt(20), bytes.length - Math.max(at, to));
                    System.arraycopy(valid, Math.min(at, valid.length - length), bytes, to, length);
                }
            }
        }
        return bytes;
    }

    /** Replaces each position of a valid message with a header of the largest length. */
    @Test
    void hugeLengths() {
        for (byte[] valid : valid()) {
            for (int at = 0; at < valid.length; at += valid.length > 1000 ? 11 : 1) {
                for (int major = 0; major < 8; major++) {
                    for (int size : new int[] {4, 8}) {
                        byte[] bytes = Arrays.copyOf(valid, Math.max(valid.length, at + 1 + size));
                        bytes[at] = (byte) (major << 5 | (size == 4 ? 26 : 27));
                        Arrays.fill(bytes, at + 1, at + 1 + size, (byte) 0xFF);
                        bytes[at + 1] = 0x7F;
                        decode(bytes);
                    }
                }
            }
        }
    }

    private static byte[] bytes(Object... parts) {
        var out = new ByteArrayOutputStream();
        for (Object part : parts) {
            switch (part) {
                case Integer i -> out.write(i);
                case String text -> {
                    out.write(0x78);
                    out.write(text.length());
                    out.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
                }
                case byte[] raw -> out.writeBytes(raw);
                default -> throw new IllegalArgumentException("" + part);
            }
        }
        return out.toByteArray();
    }

    private static byte[] repeated(int count, int... bytes) {
        var all = new byte[count * bytes.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) bytes[i % bytes.length];
        }
        return all;
    }

    private static String refused(byte[] bytes) {
        var e = assertThrows(CodecException.class, () -> CODEC.decode(bytes));
        return Objects.requireNonNull(e.getMessage());
    }

    @Test
    void levels() {
        for (int head : new int[] {0x81, 0x9F, 0xBF}) {
            byte[] deep = head == 0xBF ? repeated(300_000, 0xBF, 0x60) : repeated(500_000, head);
            assertTrue(refused(deep).startsWith("more than 200 levels"));
        }
        // In an unknown field, no type limits the depth.
        assertTrue(refused(bytes(0x82, "Numbers", 0xA1, "unknown", repeated(500_000, 0x81)))
                .startsWith("more than 200 levels"));
    }

    /** The parser copies the list of tags for each tag. */
    @Test
    void tags() {
        assertTrue(refused(bytes(0x82, "Kind", repeated(1_000_000, 0xC2))).startsWith("a number of -1 bytes"));
        assertTrue(refused(bytes(0x82, "Kind", repeated(1_000_000, 0xC1))).startsWith("tag 1"));
    }

    /** A long text with many references to it: 200,000 times 300 KB, if each were copied. */
    @Test
    void referencesToTexts() {
        byte[] text = new byte[300_000];
        Arrays.fill(text, (byte) 'A');
        byte[] namespace = {(byte) 0xD9, 1, 0};
        byte[] references = repeated(200_000, 0xD8, 25, 0);
        byte[] bytes = bytes(
                0x82, "Texts", namespace, 0xBF, "bytes", 0x9F, 0x7A, 0, 4, 0x93, 0xE0, text, references, 0xFF, 0xFF);
        assertTrue(refused(bytes).startsWith("tag 256"), refused(bytes));
    }

    @Test
    void partsOfTexts() {
        // 300,000 parts of one letter are fine; the same with a part of bytes is not.
        byte[] parts = repeated(300_000, 0x61, 'a');
        var texts = (Message.Texts) CODEC.decode(bytes(0x82, "Texts", 0xA1, "text", 0x7F, parts, 0xFF));
        assertEquals("a".repeat(300_000), texts.text());
        assertTrue(refused(bytes(0x82, "Texts", 0xA1, "text", 0x7F, parts, 0x41, 1, 0xFF))
                .startsWith("a part of another kind"));
        assertTrue(refused(bytes(0x82, "Texts", 0xA1, "text", 0x7F, parts, 0x7F, 0xFF, 0xFF))
                .startsWith("an unknown head"));
    }

    /** Each value could take seconds or gigabytes if it were converted to digits or to an integer. */
    @Test
    void numbers() {
        byte[] million = new byte[1_000_000];
        Arrays.fill(million, (byte) 0x7F);
        byte[] big = bytes(0xC2, 0x5A, 0, 0x0F, 0x42, 0x40, million);
        byte[] hugeScale = bytes(0xC4, 0x82, 0x1A, 0x7F, 0xFF, 0xFF, 0xFF, 1);
        byte[] tinyScale = bytes(0xC4, 0x82, 0x3A, 0x7F, 0xFF, 0xFF, 0xFF, 1);
        byte[] allowed = bytes(0xC2, 0x59, 0x10, 0, Arrays.copyOf(million, 4096));
        assertTrue(refused(bytes(0x82, "Numbers", 0xA1, "big", big)).startsWith("a number of 1000000 bytes"));
        assertTrue(refused(bytes(0x82, "Numbers", 0xA1, "decimal", 0xC4, 0x82, 0, big))
                .startsWith("a number of"));
        assertTrue(decode(bytes(0x82, "Numbers", 0xA1, "big", allowed)));
        for (String name : List.of("integer", "large", "boxed", "real", "big", "decimal", "list")) {
            for (byte[] number : List.of(
                    allowed,
                    hugeScale,
                    tinyScale,
                    bytes(0xC4, 0x82, 0x1A, 0x7F, 0xFF, 0xFF, 0xFF, allowed),
                    bytes(0xC4, 0x82, 0x3A, 0x7F, 0xFF, 0xFF, 0xFF, allowed))) {
                decode(bytes(0x82, "Numbers", 0xA1, name, number));
            }
        }
        var longText = new byte[250];
        Arrays.fill(longText, (byte) '9');
        decode(bytes(0x82, "Numbers", 0xA1, "big", new String(longText, StandardCharsets.ISO_8859_1)));
    }

    record Parsed(
            Duration duration,
            Period period,
            Instant instant,
            ZonedDateTime time,
            LocalDate date,
            Year year,
            MonthDay day,
            ZoneId zone,
            ZoneOffset offset,
            URI uri,
            UUID uuid,
            Locale locale,
            Currency currency,
            char letter,
            Map<Integer, Integer> byNumber,
            Map<Double, Integer> byReal,
            Map<Instant, Integer> byInstant,
            Map<Locale, Integer> byLocale) {}

    /** A text of a megabyte, for everything that is parsed from text. */
    @Test
    void longTexts() {
        RecordCodec<Parsed> codec = RecordCodec.of(Parsed.class);
        for (String part :
                List.of("9", "A", "-", "P1D", "PT0.", "1:", "a/", "é", "en_", " ", "+0", "1e9", "[", "2024-01-01T")) {
            byte[] text = part.repeat(1_000_000 / part.length()).getBytes(StandardCharsets.UTF_8);
            byte[] length = ByteBuffer.allocate(4).putInt(text.length).array();
            byte[] value = bytes(0x7A, length, text);
            for (RecordComponent component : Parsed.class.getRecordComponents()) {
                String name = component.getName();
                byte[] message = name.startsWith("by")
                        ? bytes(0x82, "Parsed", 0xA1, name, 0xA1, value, 1)
                        : bytes(0x82, "Parsed", 0xA1, name, value);
                if (message.length <= codec.limit()) {
                    decode(codec, message);
                }
            }
        }
    }

    /** Containers that are not closed, are closed too often, or end between a key and its value. */
    @Test
    void structure() {
        assertTrue(refused(bytes(0x82, "Kind")).startsWith("the end is missing"));
        assertTrue(refused(bytes(0x9F, "Kind", "A")).startsWith("the end is missing"));
        assertTrue(refused(bytes(0x82, "Kind", 0xFF)).startsWith("an end that ends nothing"));
        assertTrue(refused(bytes(0xFF)).startsWith("an end that ends nothing"));
        assertTrue(refused(bytes(0x82, "Texts", 0xBF, "text", 0xFF)).startsWith("an end that ends nothing"));
        assertTrue(refused(bytes(0x9B, repeated(8, 0xFF))).startsWith("a length of 9223372036854775807"));
        assertTrue(refused(bytes(0xBB, 0x40, repeated(7, 0))).startsWith("a length of 4611686018427387904"));
        assertEquals(
                new Message.Numbers(0, 0, null, 0, null, null, null),
                CODEC.decode(bytes(0x9F, "Numbers", 0xBF, 0xFF, 0xFF)));
    }

    @Test
    void manyElements() {
        byte[] list = bytes(0x82, "Numbers", 0xA1, "list", 0x9F, repeated(900_000, 0), 0xFF);
        var numbers = (Message.Numbers) CODEC.decode(list);
        assertEquals(900_000, numbers.list().size());
        var nulls = new ArrayList<Integer>();
        nulls.add(null);
        assertEquals(nulls, ((Message.Numbers) CODEC.decode(bytes(0x82, "Numbers", 0xA1, "list", 0x81, 0xF6))).list());
    }
}
