package io.fibry.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Currency;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.dataformat.cbor.CBORMapper;

@Timeout(60)
class RecordCodecTest {

    // Not public, as records of an application may be.
    private sealed interface Message {
        record Put(String key, long value) implements Message {}

        record Get(String key) implements Message {}

        record Stop() implements Message {}

        enum Signal implements Message {
            UP,
            DOWN;

            @Override
            public String toString() {
                return "not the name";
            }
        }

        sealed interface Inner extends Message {
            record Deep(Shape shape, List<Shape> shapes) implements Inner {}
        }
    }

    sealed interface Shape {
        record Circle(double radius) implements Shape {}

        record Square(int side) implements Shape {}

        enum Special implements Shape {
            NONE
        }
    }

    enum Color {
        RED,
        GREEN;

        @Override
        public String toString() {
            return "color";
        }
    }

    record Pair<A, B>(A first, B second) {}

    record Times(
            Instant instant,
            Duration duration,
            LocalDate date,
            LocalTime time,
            LocalDateTime dateTime,
            OffsetDateTime offsetDateTime,
            OffsetTime offsetTime,
            ZonedDateTime zonedDateTime,
            ZoneId zone,
            ZoneId fixedZone,
            ZoneOffset offset,
            Year year,
            YearMonth yearMonth,
            MonthDay monthDay,
            Period period,
            DayOfWeek day,
            Month month) {}

    record Values(
            boolean bool,
            byte small,
            short shorter,
            int integer,
            long large,
            float real,
            double precise,
            char letter,
            Integer boxed,
            BigInteger big,
            BigDecimal decimal,
            UUID uuid,
            URI uri,
            Locale locale,
            Currency currency,
            Color color) {}

    record Containers(
            List<Integer> list,
            Set<Color> set,
            Map<String, Pair<Integer, Color>> map,
            Map<Color, Long> byColor,
            Map<UUID, Integer> byUuid,
            Map<LocalDate, Integer> byDate,
            Map<Integer, List<Map<String, Optional<Color>>>> nested,
            Optional<String> text,
            Optional<Shape> shape,
            OptionalInt integer,
            OptionalLong large,
            OptionalDouble real) {}

    /** Names and methods that are properties to a mapper of beans. */
    record Names(String getName, boolean isOpen, int X, String uRL, int get, int is, String class_) {
        public String getOther() {
            return getName;
        }

        public boolean isEmpty() {
            return get == 0;
        }
    }

    @SuppressWarnings("ArrayRecordComponent")
    record ArrayFields(byte[] bytes, int[] numbers, String[] texts, Shape[] shapes) {}

    record Tree(Tree left, Tree right) {}

    private static <T> T roundTrip(RecordCodec<T> codec, T message) {
        return codec.decode(codec.encode(message));
    }

    private static <T extends Record> void assertRoundTrip(Class<T> type, T message) {
        assertEquals(message, roundTrip(RecordCodec.of(type), message));
    }

    @Test
    void messagesOfAnInterface() {
        RecordCodec<Message> codec = RecordCodec.of(Message.class);
        for (Message message : List.of(
                new Message.Put("a", Long.MIN_VALUE),
                new Message.Get("ä€😀\0"),
                new Message.Stop(),
                Message.Signal.UP,
                new Message.Inner.Deep(new Shape.Circle(1.5), List.of(new Shape.Square(2), Shape.Special.NONE)))) {
            assertEquals(message, roundTrip(codec, message));
        }
        assertSame(Message.Signal.UP, roundTrip(codec, Message.Signal.UP));
    }

    @Test
    void theWireIsTheNameAndTheComponents() {
        byte[] bytes = RecordCodec.of(Message.class)
                .encode(new Message.Inner.Deep(new Shape.Circle(2), Arrays.asList(new Shape.Square(3), null)));
        Object tree = new CBORMapper().readValue(bytes, Object.class);
        assertEquals(
                List.of(
                        "Deep",
                        Map.of(
                                "shape",
                                List.of("Circle", Map.of("radius", 2.0)),
                                "shapes",
                                Arrays.asList(List.of("Square", Map.of("side", 3)), null))),
                tree);
    }

    @Test
    void times() {
        var instant = Instant.parse("2024-02-29T12:34:56.123456789Z");
        assertRoundTrip(
                Times.class,
                new Times(
                        instant,
                        Duration.ofSeconds(-5, 7),
                        LocalDate.of(2024, 2, 29),
                        LocalTime.MAX,
                        LocalDateTime.MIN,
                        instant.atOffset(ZoneOffset.ofHours(-3)),
                        OffsetTime.MAX,
                        instant.atZone(ZoneId.of("Europe/Berlin")),
                        ZoneId.of("Europe/Berlin"),
                        ZoneId.of("UTC"),
                        ZoneOffset.ofHoursMinutes(5, 30),
                        Year.of(2024),
                        YearMonth.of(2024, 2),
                        MonthDay.of(2, 29),
                        Period.of(1, -2, 3),
                        DayOfWeek.FRIDAY,
                        Month.MAY));
        assertRoundTrip(Times.class, extremes(Instant.MAX, ZoneOffset.MAX));
        assertRoundTrip(Times.class, extremes(Instant.MIN, ZoneOffset.MIN));
        assertRoundTrip(Times.class, extremes(Instant.EPOCH, ZoneId.of("UTC")));
        assertRoundTrip(Times.class, extremes(Instant.EPOCH, ZoneOffset.UTC));
        assertRoundTrip(Times.class, extremes(Instant.EPOCH, ZoneId.of("GMT+2")));
    }

    private static Times extremes(Instant instant, ZoneId zone) {
        ZoneId utc = ZoneOffset.UTC;
        Instant near = instant.equals(Instant.MAX)
                ? instant.minus(Duration.ofDays(400))
                : instant.equals(Instant.MIN) ? instant.plus(Duration.ofDays(400)) : instant;
        return new Times(
                instant,
                Duration.ofSeconds(Long.MAX_VALUE, 999_999_999),
                LocalDate.MAX,
                LocalTime.MIN,
                LocalDateTime.MAX,
                OffsetDateTime.MAX,
                OffsetTime.MIN,
                near.atZone(zone),
                zone,
                utc,
                ZoneOffset.MIN,
                Year.of(Year.MIN_VALUE),
                YearMonth.of(Year.MAX_VALUE, 12),
                MonthDay.of(12, 31),
                Period.ofDays(Integer.MIN_VALUE),
                DayOfWeek.MONDAY,
                Month.JANUARY);
    }

    @Test
    void values() {
        assertRoundTrip(
                Values.class,
                new Values(
                        true,
                        Byte.MIN_VALUE,
                        Short.MIN_VALUE,
                        Integer.MIN_VALUE,
                        Long.MAX_VALUE,
                        Float.MIN_VALUE,
                        Double.NaN,
                        '\uFFFF',
                        127,
                        BigInteger.TEN.pow(5000).negate(),
                        new BigDecimal("-1.2300E+77777"),
                        new UUID(-1, 1),
                        URI.create("http://example.com/a?b#c"),
                        Locale.forLanguageTag("de-CH"),
                        Currency.getInstance("CHF"),
                        Color.GREEN));
        assertRoundTrip(
                Values.class,
                new Values(
                        false,
                        Byte.MAX_VALUE,
                        Short.MAX_VALUE,
                        Integer.MAX_VALUE,
                        Long.MIN_VALUE,
                        Float.POSITIVE_INFINITY,
                        -0.0,
                        '€',
                        null,
                        BigInteger.ONE.shiftLeft(64),
                        new BigDecimal(BigInteger.TWO.pow(300), Integer.MIN_VALUE),
                        null,
                        null,
                        Locale.ROOT,
                        null,
                        null));
    }

    @Test
    void containers() {
        var listWithNull = new ArrayList<Integer>(List.of(1, 2));
        listWithNull.add(null);
        var mapWithNull = new HashMap<String, Pair<Integer, Color>>();
        mapWithNull.put("", null);
        mapWithNull.put("k", new Pair<>(1, Color.RED));
        var full = new Containers(
                listWithNull,
                EnumSet.allOf(Color.class),
                mapWithNull,
                Map.of(Color.RED, 1L),
                Map.of(new UUID(1, 2), 3),
                Map.of(LocalDate.EPOCH, 4),
                Map.of(7, List.of(Map.of("a", Optional.of(Color.RED)), Map.of("b", Optional.empty()))),
                Optional.of(""),
                Optional.of(new Shape.Circle(0)),
                OptionalInt.of(1),
                OptionalLong.of(2),
                OptionalDouble.of(3));
        assertRoundTrip(Containers.class, full);
        assertRoundTrip(
                Containers.class,
                new Containers(
                        List.of(),
                        Set.of(),
                        Map.of(),
                        Map.of(),
                        Map.of(),
                        Map.of(),
                        Map.of(),
                        Optional.empty(),
                        Optional.empty(),
                        OptionalInt.empty(),
                        OptionalLong.empty(),
                        OptionalDouble.empty()));
    }

    @Test
    void namesThatLookLikeGetters() {
        var names = new Names("a", true, 1, "b", 2, 3, "c");
        assertRoundTrip(Names.class, names);
        assertEquals(
                List.of(
                        "Names",
                        Map.of("getName", "a", "isOpen", true, "X", 1, "uRL", "b", "get", 2, "is", 3, "class_", "c")),
                new CBORMapper().readValue(RecordCodec.of(Names.class).encode(names), Object.class));
    }

    record Annotated(
            @JsonProperty("other") int value,
            @JsonIgnore int hidden,
            @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) Shape shape) {}

    @Test
    void annotationsHaveNoEffect() {
        var message = new Annotated(1, 2, new Shape.Square(3));
        assertRoundTrip(Annotated.class, message);
        assertEquals(
                List.of("Annotated", Map.of("value", 1, "hidden", 2, "shape", List.of("Square", Map.of("side", 3)))),
                new CBORMapper().readValue(RecordCodec.of(Annotated.class).encode(message), Object.class));
    }

    @Test
    void arrays() {
        var message = new ArrayFields(
                new byte[] {1, -1}, new int[] {2, 3}, new String[] {"a", null}, new Shape[] {new Shape.Square(1)});
        ArrayFields decoded = roundTrip(RecordCodec.of(ArrayFields.class), message);
        assertArrayEquals(message.bytes, decoded.bytes);
        assertArrayEquals(message.numbers, decoded.numbers);
        assertArrayEquals(message.texts, decoded.texts);
        assertArrayEquals(message.shapes, decoded.shapes);
    }

    @Test
    void longTexts() {
        RecordCodec<Message> codec = RecordCodec.of(Message.class);
        for (int length = 1; length < 900_000; length = length * 3 / 2 + 1) {
            var message = new Message.Get("ä".repeat(length / 2) + "x".repeat(length % 2));
            assertEquals(message, roundTrip(codec, message));
        }
    }

    @Test
    void aTextThatIsNoText() {
        RecordCodec<Message> codec = RecordCodec.of(Message.class);
        for (int length : new int[] {0, 10, 100, 1000, 10_000, 100_000}) {
            assertThrows(CodecException.class, () -> codec.encode(new Message.Get("x".repeat(length) + "\uD800")));
            assertThrows(CodecException.class, () -> codec.encode(new Message.Get("\uDC00" + "x".repeat(length))));
        }
    }

    @Test
    void aNumberThatIsTooLong() {
        record Large(BigInteger integer, BigDecimal decimal) {}
        RecordCodec<Large> codec = RecordCodec.of(Large.class);
        BigInteger large = BigInteger.ONE.shiftLeft(8 * 4096 - 1);
        for (BigInteger n : List.of(large.subtract(BigInteger.ONE), large.negate())) {
            var number = new Large(n, new BigDecimal(n, 5));
            assertEquals(number, roundTrip(codec, number));
        }
        assertThrows(CodecException.class, () -> codec.encode(new Large(large, null)));
        assertThrows(CodecException.class, () -> codec.encode(new Large(null, new BigDecimal(large, 5))));
    }

    // ---- versions

    static class Old {
        record Order(String id, int count, String gone) {}
    }

    static class New {
        record Order(
                long added,
                String id,
                boolean flag,
                int count,
                Optional<String> note,
                OptionalInt number,
                List<String> list,
                Shape shape) {}
    }

    @Test
    void oldAndNewVersionsUnderstandEachOther() {
        var old = RecordCodec.of(Old.Order.class);
        var now = RecordCodec.of(New.Order.class);
        assertEquals(
                new New.Order(0, "a", false, 5, Optional.empty(), OptionalInt.empty(), null, null),
                now.decode(old.encode(new Old.Order("a", 5, "z"))));
        var sent =
                new New.Order(1, "b", true, 6, Optional.of("n"), OptionalInt.of(2), List.of("l"), new Shape.Square(3));
        assertEquals(new Old.Order("b", 6, null), old.decode(now.encode(sent)));
    }

    // ---- refused

    @Test
    void aTypeThatIsNotOnTheList() {
        RecordCodec<?> codec = RecordCodec.of(Shape.class);
        @SuppressWarnings("unchecked")
        var raw = (RecordCodec<Object>) codec;
        var e = assertThrows(CodecException.class, () -> raw.encode(new Pair<>(1, 2)));
        assertEquals(
                Pair.class.getName() + " is not a message of " + Shape.class.getName()
                        + ". These are: Circle, Special, Square",
                e.getMessage());
        assertThrows(CodecException.class, () -> raw.encode("text"));
    }

    @Test
    void aNameThatIsNotKnown() {
        byte[] bytes = RecordCodec.of(Tree.class).encode(new Tree(null, null));
        var e = assertThrows(
                CodecException.class, () -> RecordCodec.of(Shape.class).decode(bytes));
        assertEquals(
                "\"Tree\" is not a message of " + Shape.class.getName() + ". These are: Circle, Special, Square",
                e.getMessage());
        byte[] longName = new CBORMapper().writeValueAsBytes(List.of("x".repeat(100_000), Map.of()));
        e = assertThrows(CodecException.class, () -> RecordCodec.of(Shape.class).decode(longName));
        assertTrue(e.getMessage().length() < 400, e.getMessage());
    }

    @Test
    void anInnerNameThatIsNotKnown() {
        byte[] bytes = new CBORMapper()
                .writeValueAsBytes(List.of("Deep", Map.of("shape", List.of("java.lang.Thread", Map.of()))));
        assertThrows(CodecException.class, () -> RecordCodec.of(Message.class).decode(bytes));
    }

    @Test
    void tooLarge() {
        var small = RecordCodec.of(Message.class).limit(100);
        assertEquals(100, small.limit());
        assertEquals(1 << 20, RecordCodec.of(Message.class).limit());
        var message = new Message.Get("x".repeat(5000));
        var e = assertThrows(CodecException.class, () -> small.encode(message));
        byte[] bytes = RecordCodec.of(Message.class).encode(message);
        assertEquals(
                Message.Get.class.getName() + " has " + bytes.length + " bytes, more than the limit of 100",
                e.getMessage());
        e = assertThrows(CodecException.class, () -> small.decode(bytes));
        assertEquals("a message has " + bytes.length + " bytes, more than the limit of 100", e.getMessage());
        assertEquals(message, roundTrip(small.limit(bytes.length), message));
        assertThrows(CodecException.class, () -> small.limit(bytes.length - 1).encode(message));
        assertThrows(IllegalArgumentException.class, () -> small.limit(0));
        assertThrows(
                CodecException.class, () -> RecordCodec.of(Message.class).encode(new Message.Get("x".repeat(1 << 20))));
    }

    @Test
    @SuppressWarnings("NullAway")
    void nulls() {
        RecordCodec<Message> codec = RecordCodec.of(Message.class);
        assertThrows(CodecException.class, () -> codec.encode(null));
        for (var sent : Arrays.asList(
                null, Collections.singletonList(null), Arrays.asList("Get", null), Arrays.asList(null, Map.of()))) {
            byte[] bytes = new CBORMapper().writeValueAsBytes(sent);
            assertThrows(CodecException.class, () -> codec.decode(bytes), () -> "" + sent);
        }
        assertEquals(new Message.Get(null), roundTrip(codec, new Message.Get(null)));
    }

    @Test
    void otherForms() {
        RecordCodec<Message> codec = RecordCodec.of(Message.class);
        for (Object sent : List.of(
                1,
                "Get",
                Map.of("Get", Map.of("key", "a")),
                List.of(),
                List.of("Get"),
                List.of("Stop", Map.of(), 1),
                List.of("Get", "a"),
                List.of("Get", List.of("a")),
                List.of("Get", Map.of("key", List.of())),
                List.of("Put", Map.of("value", "1")),
                List.of("Put", Map.of("value", 1.5)),
                List.of("Put", Map.of("value", BigInteger.ONE.shiftLeft(70))),
                List.of("Signal", 0),
                List.of("Signal", "LEFT"),
                List.of(1, Map.of()))) {
            byte[] bytes = new CBORMapper().writeValueAsBytes(sent);
            assertThrows(CodecException.class, () -> codec.decode(bytes), () -> "" + sent);
        }
    }

    @Test
    void bytesThatFollow() {
        RecordCodec<Message> codec = RecordCodec.of(Message.class);
        byte[] bytes = codec.encode(new Message.Get("a"));
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
        var e = assertThrows(CodecException.class, () -> codec.decode(longer));
        assertEquals(
                "the message has ended, but bytes follow, at byte " + bytes.length + " of " + longer.length,
                e.getMessage());
    }

    record Positive(int value) {
        Positive {
            if (value < 0) {
                throw new IllegalArgumentException("value must not be negative, but is " + value);
            }
        }
    }

    @Test
    void aConstructorThatDoesNotAccept() {
        byte[] bytes = new CBORMapper().writeValueAsBytes(List.of("Positive", Map.of("value", -1)));
        var e = assertThrows(
                CodecException.class, () -> RecordCodec.of(Positive.class).decode(bytes));
        assertTrue(
                Objects.requireNonNull(e.getMessage()).contains("value must not be negative, but is -1"),
                e.getMessage());
    }

    record Failing(int value) {
        @Override
        public int value() {
            throw new IllegalStateException("no value");
        }
    }

    @Test
    void anAccessorThatFails() {
        var e = assertThrows(
                CodecException.class, () -> RecordCodec.of(Failing.class).encode(new Failing(1)));
        assertTrue(Objects.requireNonNull(e.getMessage()).contains("no value"), e.getMessage());
    }

    @Test
    void tooDeep() {
        RecordCodec<Tree> codec = RecordCodec.of(Tree.class);
        assertEquals(tree(199), roundTrip(codec, tree(199)));
        assertThrows(CodecException.class, () -> codec.encode(tree(200)));
        assertThrows(CodecException.class, () -> codec.encode(tree(5000)));
    }

    private static Tree tree(int depth) {
        Tree tree = null;
        for (int i = 0; i < depth; i++) {
            tree = new Tree(tree, null);
        }
        return tree;
    }

    @Test
    void anyThreadMayUseIt() throws Exception {
        RecordCodec<Message> codec = RecordCodec.of(Message.class);
        var results = new ArrayList<Future<?>>();
        try (var threads = Executors.newFixedThreadPool(4)) {
            for (int i = 0; i < 4; i++) {
                int seed = i;
                results.add(threads.submit(() -> {
                    for (int j = 0; j < 2000; j++) {
                        var message = new Message.Put("key" + seed, j);
                        assertEquals(message, roundTrip(codec, message));
                    }
                }));
            }
        }
        for (var result : results) {
            result.get();
        }
    }

    @Test
    void aMapKeepsItsOrder() {
        record Ordered(Map<String, Integer> map) {}
        var map = new LinkedHashMap<String, Integer>();
        for (int i = 0; i < 100; i++) {
            map.put("k" + i * 37 % 100, i);
        }
        Ordered decoded = roundTrip(RecordCodec.of(Ordered.class), new Ordered(map));
        assertEquals(List.copyOf(map.keySet()), List.copyOf(decoded.map.keySet()));
    }
}
