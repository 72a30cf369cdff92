package io.fibry.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.File;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The types that {@link RecordCodec#of} refuses, and its messages. */
class RecordTypesTest {

    private static final String KNOWN =
            ". A codec knows records, enums, sealed interfaces of records, arrays, List, Set, Collection, Map,"
                + " Optional, primitives, String, UUID, URI, Locale, Currency, BigInteger, BigDecimal and java.time";

    interface Open {}

    enum Single {
        ONE
    }

    sealed interface WithClass {
        final class Impl implements WithClass {}

        record Good() implements WithClass {}
    }

    sealed interface WithOpen {
        non-sealed interface Anything extends WithOpen {}
    }

    sealed interface Twice {
        class A {
            record Same() implements Twice {}
        }

        class B {
            record Same() implements Twice {}
        }
    }

    /** A record that two interfaces permit is one type. */
    sealed interface Diamond {
        sealed interface Left extends Diamond {}

        sealed interface Right extends Diamond {}

        record Both(int x) implements Left, Right {}
    }

    enum Bodies {
        PLAIN,
        SPECIAL {
            @Override
            int value() {
                return 1;
            }
        };

        int value() {
            return 0;
        }
    }

    record AnyThing(Object value) {}

    record Variable<T>(T value) {}

    record UsesVariable(Variable<String> good, Variable<?> bad) {}

    record WithFile(List<Optional<File[]>> files) {}

    record WithClassObject(Class<?> type) {}

    record WithHashMap(HashMap<String, String> map) {}

    record Raw(@SuppressWarnings("rawtypes") List list) {}

    record RecordKeys(Map<Variable<String>, String> map) {}

    record OptionalKeys(Map<Optional<String>, String> map) {}

    record WithBodies(Bodies bodies) {}

    record Deep(List<Map<String, WithFile>> list) {}

    private static String refusal(Class<?> type) {
        return Objects.requireNonNull(assertThrows(IllegalArgumentException.class, () -> RecordCodec.of(type))
                .getMessage());
    }

    private static String name(Class<?> type) {
        return type.getName();
    }

    @Test
    void typesThatAreNoMessages() {
        String advice = " is not a record, nor a sealed interface, nor a value such as Long or String: make"
                + " it a record, or write a Codec for it";
        for (Class<?> type : List.of(Open.class, Single.class, ZoneId.class, int.class, Object.class)) {
            assertEquals(name(type) + advice, refusal(type));
        }
        String notRecord = ", which is not a record: make it one, or an enum, or a sealed interface of records";
        assertEquals(
                name(WithClass.class) + " permits " + name(WithClass.Impl.class) + notRecord, refusal(WithClass.class));
        assertEquals(
                name(WithOpen.class) + " permits " + name(WithOpen.Anything.class) + notRecord,
                refusal(WithOpen.class));
    }

    @Test
    void namesHaveToDiffer() {
        assertEquals(
                name(Twice.class) + " permits two types with the name Same: " + name(Twice.A.Same.class) + " and "
                        + name(Twice.B.Same.class) + ". Rename one: the name is what is sent",
                refusal(Twice.class));
        RecordCodec<Diamond> codec = RecordCodec.of(Diamond.class);
        assertEquals(new Diamond.Both(1), codec.decode(codec.encode(new Diamond.Both(1))));
    }

    @Test
    void componentsThatCannotBeDecoded() {
        assertEquals(
                "component value of record " + name(AnyThing.class) + " has the type java.lang.Object" + KNOWN,
                refusal(AnyThing.class));
        assertEquals(
                "component value of record " + name(Variable.class) + " has the type java.lang.Object" + KNOWN,
                refusal(Variable.class));
        assertEquals(refusal(Variable.class), refusal(UsesVariable.class));
        assertEquals(
                "component files of record " + name(WithFile.class) + " has the type java.io.File" + KNOWN,
                refusal(WithFile.class));
        assertEquals(refusal(WithFile.class), refusal(Deep.class));
        assertEquals(
                "component type of record " + name(WithClassObject.class)
                        + " has the type java.lang.Class<java.lang.Object>" + KNOWN,
                refusal(WithClassObject.class));
        assertEquals(
                "component map of record " + name(WithHashMap.class)
                        + " has the type java.util.HashMap<java.lang.String,java.lang.String>" + KNOWN,
                refusal(WithHashMap.class));
        assertEquals(
                "component list of record " + name(Raw.class) + " is a List without type arguments",
                refusal(Raw.class));
    }

    @Test
    void keysOfMaps() {
        assertEquals(
                "component map of record " + name(RecordKeys.class) + " is a Map with keys of the type "
                        + name(Variable.class)
                        + "<java.lang.String>. Keys have to be texts, numbers, enums, UUID or java.time; use a list of"
                        + " records instead",
                refusal(RecordKeys.class));
        assertEquals(
                "component map of record " + name(OptionalKeys.class) + " is a Map with keys of the type"
                        + " java.util.Optional<java.lang.String>. Keys"
                        + " have to be texts, numbers, enums, UUID or"
                        + " java.time; use a list of records instead",
                refusal(OptionalKeys.class));
    }

    @Test
    void constantsWithABody() {
        assertEquals(
                "component bodies of record " + name(WithBodies.class) + " is the enum " + name(Bodies.class)
                        + ", which has constants with a body: move the body into a method",
                refusal(WithBodies.class));
    }

    @Test
    void aPackageThatIsNotOpen() throws Exception {
        Class<?> record = Class.forName("java.util.stream.Collectors$CollectorImpl");
        assertEquals(
                "module java.base does not open java.util.stream.Collectors$CollectorImpl: add \"opens"
                        + " java.util.stream to tools.jackson.databind;\" to its module-info.java",
                refusal(record));
    }
}
