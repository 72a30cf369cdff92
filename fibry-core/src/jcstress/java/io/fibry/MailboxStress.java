package io.fibry;

import java.util.concurrent.locks.ReentrantLock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A mailbox on real threads: the last look of a consumer against a sender, and a stop against a sender. Results are the
 * messages that were accepted and those that a consumer gets in the end.
 */
final class MailboxStress {

    private MailboxStress() {}

    static class Box extends Mailbox {
        int roles; // written by the sender or the closer, read by the arbiter; by the consumer never
        int consumed;
        private final ReentrantLock closing = new ReentrantLock();

        @Override
        ReentrantLock closing() {
            return closing;
        }

        @Override
        void ready() {
            roles++;
        }

        void takeTwice() {
            take();
            if (!becomeIdle()) {
                take();
                becomeIdle();
            }
        }

        void take() {
            for (Envelope e = takeAll(); e != null; e = e.next) {
                consumed += (Integer) e.message;
            }
            putBack(null);
        }
    }

    @JCStressTest
    @Outcome(
            id = "2, 2",
            expect = Expect.ACCEPTABLE,
            desc = "Both messages are consumed, by this consumer or the next.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A message was missed, or came before what was written ahead of it.")
    @State
    public static class IdleAgainstOffer {
        private final Box box = new Box();

        public IdleAgainstOffer() {
            box.offer(new Envelope(1, null));
            box.roles = 0; // the consumer below has it
        }

        @Actor
        public void sender() {
            box.offer(new Envelope(1, null));
        }

        @Actor
        public void consumer() {
            box.takeTwice();
        }

        @Arbiter
        public void end(II_Result r) {
            if (box.roles > 0) {
                box.take();
            }
            r.r1 = 2;
            r.r2 = box.consumed;
        }
    }

    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Accepted before the close, and consumed.")
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Refused, and in no mailbox.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Accepted and lost, or refused and consumed.")
    @State
    public static class CloseAgainstOffer {
        private final Box box = new Box();
        private boolean accepted;
        private boolean closerConsumes;

        @Actor
        public void sender() {
            accepted = box.offer(new Envelope(1, null));
        }

        @Actor
        public void closer() {
            box.closing().lock();
            closerConsumes = box.closeMailbox();
            box.closing().unlock();
        }

        @Arbiter
        public void end(II_Result r) {
            if (closerConsumes || box.roles > 0) {
                box.take();
            }
            r.r1 = accepted ? 1 : 0;
            r.r2 = box.consumed;
        }
    }
}
