package io.fibry.kernel;

import io.fibry.Overflow;
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
 * The results of a {@link LockedMailbox} for senders, the consumer, a stopper and readers of the size equal the
 * results of a sequential execution, under the interleavings of small scenarios: which sender has to wake the consumer,
 * which is refused, which message is dropped.
 */
@Tag("model-check")
final class LockedMailboxTest {

    private static final int CAPACITY = 2;

    /** The operations; executed sequentially, they are also the specification. */
    public abstract static class Room {

        private final BoundedMailbox room;

        Room(MailboxSpec spec) {
            room = new LockedMailbox(spec);
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

        BoundedMailbox whenWritable() {
            return room;
        }
    }

    /** Its messages leave in FIFO order, or make room for new ones. */
    public static final class ByArrival extends Room {

        /** For Lincheck. */
        public ByArrival() {
            super(MailboxSpec.bounded(CAPACITY, Overflow.DROP_OLDEST, null));
        }

        @Operation
        public String addDroppingOldest(@Param(gen = IntGen.class, conf = "1:3") int message) {
            List<Object> dropped = new ArrayList<>();
            var outcome = whenWritable()
                    .tryAddAll(List.of(new Envelope(message, null)), oldest -> dropped.add(oldest.message));
            return outcome + " " + dropped;
        }
    }

    /** Its smallest message leaves first. */
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
