package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.fibry.ActorStoppedException;
import io.fibry.Overflow;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Senders that wait for room by a future, a consumer and a stopper: no sender waits while there is room, or after a
 * stop.
 *
 * <p>Seen to fail: a future that is added without the lock of the room; a consumer that takes a message and notifies no
 * waiter; a stop that looks for futures before it closes the room.
 */
@Tag("model-check")
final class RoomHandOverTest {

    /** With room for one message. */
    public static final class Room extends HandOver {

        private final ActorCell<Object> actor = new ConsumerCell<>(kind, message -> {});
        private final Queue<CompletableFuture<@Nullable Void>> futures = new ConcurrentLinkedQueue<>();
        private final AtomicInteger accepted = new AtomicInteger();

        /** For Lincheck. */
        public Room() {
            ActorOptions options = mailbox(MailboxSpec.bounded(1, Overflow.FAIL, null));
            actor.setLifecycle(new Lifecycle(null, null, options, ActorMaker.mailbox(options.mailbox())));
        }

        @Override
        ActorCell<?> actor() {
            return actor;
        }

        @Operation
        public void offer() {
            try {
                if (actor.tryTell("")) {
                    accepted.incrementAndGet();
                }
            } catch (ActorStoppedException refused) {
                expect(actor.lifecycleMode() != null, "refused as stopped, and nobody has stopped it");
            }
        }

        @Operation
        public void await() {
            futures.add(actor.whenWritable());
        }

        /** Checks the end: no thread is active any more. */
        @Validate
        public void noSenderWaitsWhileThereIsRoomAtTheEnd() {
            BoundedMailbox room = actor.boundedMailbox();
            assertNotNull(room);
            boolean mayWait = room.isFull() && !actor.isClosed();
            expect(mayWait || futures.stream().allMatch(CompletableFuture::isDone), "one waits, and there is room");
            finish();
            assertEquals(accepted.get(), actor.handled() + actor.lifecycle().discarded());
        }
    }

    @Test
    void noSenderWaitsWhileThereIsRoom() {
        HandOver.check(Room.class, "offer > await | turn", "offer await > await | turn offer");
    }

    @Test
    void noSenderWaitsAfterAStop() {
        HandOver.check(Room.class, "offer > await | discard", "offer > await | turn | drain");
    }
}
