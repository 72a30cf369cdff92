package io.fibry.codec;

import static io.fibry.codec.RecordCodecTest.roundTrip;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.fibry.codec.RecordCodecTest.Pair;
import io.fibry.codec.RecordCodecTest.Shape;
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
import java.util.Currency;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.dataformat.cbor.CBORMapper;

/** The supported types of record components. */
@Timeout(60)
class RecordComponentsTest {

    enum Color {
        RED,
        GREEN;

        @Override
        public String toString() {
            return "color";
        }
    }

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

    /** Names and methods that a bean mapper treats as properties. */
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

    private static <T extends Record> void assertRoundTrip(Class<T> type, T message) {
        assertEquals(message, roundTrip(RecordCodec.of(type), message));
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
