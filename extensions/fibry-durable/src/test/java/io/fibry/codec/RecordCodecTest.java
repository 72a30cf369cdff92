package io.fibry.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
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

    record Pair<A, B>(A first, B second) {}

    record Tree(Tree left, Tree right) {}

    /** Jackson decodes the same. Values with arrays are not compared: they are not equal. */
    static <T> T roundTrip(RecordCodec<T> codec, T message) {
        byte[] bytes = codec.encode(message);
        T decoded = codec.decode(bytes);
        if (decoded.equals(message)) {
            assertEquals(decoded, codec.parsed(bytes));
        }
        return decoded;
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
    void valuesOfTheJdk() {
        assertEquals(5L, roundTrip(RecordCodec.of(Long.class), 5L));
        assertEquals("five", roundTrip(RecordCodec.of(String.class), "five"));
        assertEquals(true, roundTrip(RecordCodec.of(Boolean.class), true));
        assertEquals(new BigDecimal("5.50"), roundTrip(RecordCodec.of(BigDecimal.class), new BigDecimal("5.50")));
        assertEquals(Instant.EPOCH, roundTrip(RecordCodec.of(Instant.class), Instant.EPOCH));
        UUID id = UUID.fromString("5ab6ecb8-3b9f-4d55-8d0d-6f5b16b4a1d5");
        assertEquals(id, roundTrip(RecordCodec.of(UUID.class), id));
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
}
