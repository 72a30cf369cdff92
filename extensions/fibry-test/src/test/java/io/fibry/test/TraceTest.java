package io.fibry.test;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The texts of messages in a trace are equal in equal runs. */
class TraceTest {

    private record Message(String text) {
        @Override
        public String toString() {
            return text;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "a.b.Order@1b2c3d4e, a.b.Order",
        "a.b.Order@1b, a.b.Order",
        "the result a.b.Order$Line@1240, the result a.b.Order$Line",
        "a.b.Order$$Lambda/0x00007f2a@5, a.b.Order",
        "Wrapped[value=a.b.Order@12], Wrapped[value=a.b.Order]",
        "Order@1b2c3d, Order",
        "[Ljava.lang.String;@1b2c3d, [Ljava.lang.String;",
        "[Ljava.lang.String;@1b, [Ljava.lang.String;"
    })
    void identitiesAreOmitted(String text, String expected) {
        assertEquals(expected, Trace.text(new Message(text)));
    }

    @ParameterizedTest
    @CsvSource({"me@abc", "me@cafe.example", "john.doe@example.com", "@12", "a @12"})
    void otherTextsAreKept(String text) {
        assertEquals(text, Trace.text(new Message(text)));
    }

    @Test
    void aMessageWhoseTextCannotBeComputedHasTheNameOfItsClass() {
        List<Object> cycle = new ArrayList<>();
        cycle.add(List.of(cycle));
        assertEquals("ArrayList", Trace.text(cycle));
        assertEquals("Failing", Trace.text(new Failing()));
    }

    private static final class Failing {
        @Override
        public String toString() {
            throw new IllegalStateException("meant to fail");
        }
    }
}
