package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.Program;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Measures the memory that an idle actor retains, including the entries for it in its system and its parent, and
 * excluding its name, behavior and hooks, which belong to the user. Runs in a JVM of its own, without other activity.
 */
@Timeout(120)
class ActorSizeTest {

    private static final int ACTORS = 100_000;
    private static final int FIRST = 1_000;
    private static final int READINGS = 10;

    /** Prints the number of bytes per actor, averaged over many actors. */
    static final class Count {

        private static final Object[] KEPT = new Object[ACTORS];
        private static final String[] NAMES = new String[ACTORS];

        public static void main(String[] kinds) {
            for (int i = 0; i < ACTORS; i++) {
                NAMES[i] = "actor " + i;
            }
            try (var system = ActorSystem.create()) {
                IntFunction<Actor<Integer>> factory = factory(system, kinds[0]);
                for (int i = 0; i < FIRST; i++) {
                    factory.apply(i).close(); // loads all classes
                }
                long before = used();
                for (int i = 0; i < ACTORS; i++) {
                    KEPT[i] = factory.apply(i);
                }
                System.out.println(Math.round((used() - before) / (double) ACTORS));
            }
        }

        private static IntFunction<Actor<Integer>> factory(ActorSystem system, String kind) {
            ThrowingConsumer<Integer> behavior = n -> {};
            var parent = system.actor().newActor(behavior);
            return switch (kind) {
                case "plain" -> i -> system.actor().newActor(behavior);
                case "name" -> i -> system.actor(NAMES[i]).newActor(behavior);
                case "parent" -> i -> system.actor().childOf(parent).newActor(behavior);
                case "stop hook" -> i -> system.actor().onStop(exit -> {}).newActor(behavior);
                case "stop request hook" ->
                    i -> system.actor().onStopRequested(mode -> {}).newActor(behavior);
                case "bounded" ->
                    i -> system.actor().bounded(10, Overflow.BLOCK).newActor(behavior);
                default -> throw new IllegalArgumentException(kind);
            };
        }

        /**
         * Returns the minimum of several readings: a thread of the JVM that allocates after a collection reserves a
         * whole buffer.
         */
        private static long used() {
            long least = Long.MAX_VALUE;
            for (int i = 0; i < READINGS; i++) {
                System.gc();
                least = Math.min(
                        least,
                        Runtime.getRuntime().totalMemory()
                                - Runtime.getRuntime().freeMemory());
            }
            return least;
        }
    }

    @ParameterizedTest
    @CsvSource({"plain, 48", "name, 160", "parent, 160", "stop hook, 160", "stop request hook, 160", "bounded, 320"})
    void anIdleActorIsSmall(String kind, int limit) throws Exception {
        try (var program = Program.start(Count.class, kind)) {
            assertEquals(0, program.awaitEnd(), program.log());
            int bytes = Integer.parseInt(program.lines().getLast());
            assertTrue(bytes <= limit, kind + ": " + bytes + " bytes");
        }
    }
}
