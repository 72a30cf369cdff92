package io.fibry;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What senders, the consumer, a stopper and those who ask for the size see of a {@link WaitingRoom} is what they would see one
 * after the other, under the interleavings of small scenarios: who has to wake the consumer, who is refused, what is dropped.
 */
@Tag("model-check")
final class WaitingRoomTest {

    private static final int CAPACITY = 2;

    /** The operations; one after the other they are the specification too. */
    public abstract static class Room {

        private final WaitingRoom room;

        Room(MailboxSpec spec) {
            room = new WaitingRoom(spec);
        }

        @Operation
        public String add(@Param(gen = IntGen.class, conf = "1:3") int message) {
            return room.tryAdd(new Envelope(message, null)).name();
        }

        @Operation(nonParallelGroup = "consumer")
        public @Nullable Object poll() {
            Envelope next = room.poll();
            return next == null ? null : next.message;
        }

        @Operation
        public int size() {
            return room.size();
        }

        @Operation
        public void close() {
            room.close();
        }

        WaitingRoom room() {
            return room;
        }
    }

    /** Its messages leave in the order of their arrival, or make room for new ones. */
    public static final class ByArrival extends Room {

        /** For Lincheck. */
        public ByArrival() {
            super(MailboxSpec.bounded(CAPACITY, Overflow.DROP_OLDEST, null));
        }

        @Operation
        public String addDroppingOldest(@Param(gen = IntGen.class, conf = "1:3") int message) {
            List<Object> dropped = new ArrayList<>();
            var outcome = room().addDroppingOldest(new Envelope(message, null), oldest -> dropped.add(oldest.message));
            return outcome + " " + dropped;
        }
    }

    /** The smallest of its messages leaves first. */
    public static final class ByPriority extends Room {

        /** For Lincheck. */
        public ByPriority() {
            super(MailboxSpec.ordered(
                    Comparator.<Integer>naturalOrder(), MailboxSpec.bounded(CAPACITY, Overflow.FAIL, null)));
        }
    }

    @Test
    void byArrivalIsLinearizable() {
        check(ByArrival.class);
    }

    @Test
    void byPriorityIsLinearizable() {
        check(ByPriority.class);
    }

    private static void check(Class<? extends Room> kind) {
        new ModelCheckingOptions()
                .threads(3)
                .actorsPerThread(2)
                .actorsBefore(2)
                .actorsAfter(2)
                .iterations(5)
                .invocationsPerIteration(200)
                .check(kind);
    }
}
