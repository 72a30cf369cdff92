package io.fibry.kernel;

import io.fibry.dispatch.ActorLock;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.Dispatcher;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A mailbox on real threads: a consumer that takes or becomes idle, or a close, against senders. */
final class MailboxStress {

    private MailboxStress() {}

    static class Box extends Mailbox {
        boolean senderHasRole; // written by the sender, read by the arbiter
        int written; // plain; written by the sender
        int taken; // written by the consumer, as is the next field
        int seen = 1;
        private final ActorLock closing = new ActorLock();

        @Override
        ActorLock closing() {
            return closing;
        }

        @Override
        void ready() {
            senderHasRole = true;
        }

        @Override
        public ActorLock interruptLock() {
            return closing;
        }

        @Override
        public String name() {
            return "box";
        }

        @Override
        public boolean runTurn(ActorThread r, @Nullable Future<?> awaited) {
            throw new UnsupportedOperationException("a box is no actor");
        }

        @Override
        public long handled() {
            return taken;
        }

        @Override
        public boolean hasEnded() {
            return isClosed();
        }

        @Override
        public Dispatcher dispatcher() {
            throw new UnsupportedOperationException("a box is no actor");
        }

        @Override
        public @Nullable ActorThread ownRunner() {
            return null;
        }

        boolean tell(String message) {
            return offerToSegment(message) || offer(new Envelope(message, null));
        }

        void beginSegment() {
            for (int i = 0; i < 4; i++) {
                tell("first");
            }
            senderHasRole = false; // the role belongs to the consumer of the test
        }

        boolean close() {
            closing.lock();
            try {
                return closeMailbox();
            } finally {
                closing.unlock();
            }
        }

        /** Takes what is left after both threads, and reports the number of messages and the write that was seen. */
        void end(II_Result r) {
            if (senderHasRole) {
                take();
            }
            r.r1 = taken;
            r.r2 = seen;
        }

        void takeUntilIdle() {
            do {
                take();
            } while (!becomeIdle());
        }

        void take() {
            Envelope e = takeAll();
            while (e != null) {
                taken++;
                if (e.message.equals("second")) {
                    seen = written;
                }
                e = e.next != null && e.next.isReached() ? reach(e.next) : e.next;
            }
            putBack(null);
        }
    }

    @JCStressTest
    @Outcome(
            id = "2, 1",
            expect = Expect.ACCEPTABLE,
            desc = "Both messages were taken, by this consumer or the next, and the write before the second was seen.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A message was missed, or the write before it was not seen.")
    @State
    public static class IdleAgainstOffer {
        private final Box box = new Box();

        public IdleAgainstOffer() {
            box.offer(new Envelope("first", null));
            box.senderHasRole = false; // the role belongs to the consumer below
        }

        @Actor
        public void sender() {
            box.written = 1;
            box.offer(new Envelope("second", null));
        }

        @Actor
        public void consumer() {
            box.takeUntilIdle();
        }

        @Arbiter
        public void end(II_Result r) {
            box.end(r);
        }
    }

    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Accepted before the close, and taken.")
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Refused, and not taken.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Accepted and lost, or refused and taken.")
    @State
    public static class CloseAgainstOffer {
        private final Box box = new Box();
        private boolean accepted;
        private boolean closerHasRole;

        @Actor
        public void sender() {
            accepted = box.offer(new Envelope("message", null));
        }

        @Actor
        public void closer() {
            closerHasRole = box.close();
        }

        @Arbiter
        public void end(II_Result r) {
            if (closerHasRole || box.senderHasRole) {
                box.take();
            }
            r.r1 = accepted ? 1 : 0;
            r.r2 = box.taken;
        }
    }

    @JCStressTest
    @Outcome(id = "6, 1", expect = Expect.ACCEPTABLE, desc = "All were taken, and the write before one was seen.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A message was missed, or the write before it was not seen.")
    @State
    public static class SegmentAgainstTake {
        private final Box box = new Box();

        public SegmentAgainstTake() {
            box.beginSegment();
        }

        @Actor
        public void sender() {
            box.written = 1;
            box.tell("second");
        }

        @Actor
        public void other() {
            box.tell("other");
        }

        @Actor
        public void consumer() {
            box.takeUntilIdle();
        }

        @Arbiter
        public void end(II_Result r) {
            box.end(r);
        }
    }

    @JCStressTest
    @Outcome(id = "1, 5", expect = Expect.ACCEPTABLE, desc = "Accepted before the close or beside it, and taken.")
    @Outcome(id = "0, 4", expect = Expect.ACCEPTABLE, desc = "Refused, and not taken.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Accepted and lost, or refused and taken.")
    @State
    public static class CloseAgainstSegment {
        private final Box box = new Box();
        private boolean accepted;

        public CloseAgainstSegment() {
            box.beginSegment();
        }

        @Actor
        public void sender() {
            accepted = box.tell("second");
        }

        @Actor
        public void closer() {
            box.close(); // the role belongs to the consumer, which is the arbiter
        }

        @Arbiter
        public void end(II_Result r) {
            box.take();
            r.r1 = accepted ? 1 : 0;
            r.r2 = box.taken;
        }
    }
}
