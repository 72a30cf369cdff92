package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.flight.Flight;
import io.fibry.testing.FlightTape;
import io.fibry.testing.Program;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A program without a recording loads no event, and one with a recording misses none.
 *
 * <p>Seen to fail: the first with a switch that is always on, the second without the event.
 */
@Timeout(120)
class FlightSwitchTest {

    private static final List<String> SHOW_CLASSES = List.of("-Xlog:class+load:stdout");

    static final class WithoutRecording {
        public static void main(String[] args) throws Exception {
            use("square");
        }
    }

    static final class WithRecording {
        public static void main(String[] args) throws Exception {
            try (var tape = new FlightTape()) {
                use("square");
                System.out.println(
                        "events: " + tape.events("MessageRun", "square").size());
            }
        }
    }

    private static void use(String name) throws Exception {
        try (var system = ActorSystem.create()) {
            system.actor(name).newActorWithReturn((Integer n) -> n * n).call(7);
        }
        System.out.println("switched on: " + Flight.isOn());
    }

    @Test
    void withoutARecordingNoEventIsLoaded() throws Exception {
        try (var program = Program.startWith(SHOW_CLASSES, WithoutRecording.class)) {
            assertEquals(0, program.awaitEnd(), program.log());
            assertEquals(List.of("switched on: false"), with(program, "switched on"));
            assertEquals(List.of(), with(program, "io.fibry.flight.MessageEvent "));
        }
    }

    @Test
    void theFirstMessageOfTheProgramIsRecorded() throws Exception {
        try (var program = Program.start(WithRecording.class)) {
            assertEquals(0, program.awaitEnd(), program.log());
            assertEquals(List.of("switched on: true", "events: 1"), program.lines());
        }
    }

    private static List<String> with(Program program, String part) throws Exception {
        return program.lines().stream().filter(line -> line.contains(part)).toList();
    }
}
