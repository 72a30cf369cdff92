package io.fibry.kernel;

import io.fibry.StopMode;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Turns of actors on real threads: visibility from one message to the next, and stops. */
final class TurnStress {

    private TurnStress() {}

    @JCStressTest
    @Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "The second message sees what the first one wrote.")
    @Outcome(
            expect = Expect.FORBIDDEN,
            desc = "A plain write of one message was lost to the next, or a message was missed.")
    @State
    public static class StateFromMessageToMessage {
        private int state; // plain
        private final ActorCell<Integer> actor = Roles.actor(n -> state += n);

        @Actor
        public void one() {
            actor.tell(1);
            Roles.run();
        }

        @Actor
        public void other() {
            actor.tell(1);
            Roles.run();
        }

        @Arbiter
        public void end(I_Result r) {
            r.r1 = state;
        }
    }

    @JCStressTest
    @Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "Accepted before the stop, handled, and ended.")
    @Outcome(id = "0, 0, 1", expect = Expect.ACCEPTABLE, desc = "Refused after the stop, not handled, and ended.")
    @Outcome(
            expect = Expect.FORBIDDEN,
            desc = "Accepted and not handled, refused and handled, or the actor has not ended.")
    @State
    public static class AdmissionAgainstStop {
        private int handled;
        private final ActorCell<Integer> actor = Roles.actor(n -> handled += n);
        private boolean accepted;

        @Actor
        public void sender() {
            accepted = Roles.tell(actor, 1);
            Roles.run();
        }

        @Actor
        public void stopper() {
            actor.stop(StopMode.DRAIN);
            Roles.run();
        }

        @Arbiter
        public void end(III_Result r) {
            r.r1 = accepted ? 1 : 0;
            r.r2 = handled;
            r.r3 = actor.hasEnded() ? 1 : 0;
        }
    }

    /** The worker has both asks in hand when it begins the first. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "The stop came first, and both asks have failed.")
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "The first ask was answered; the second one has failed.")
    @Outcome(id = "2, 0", expect = Expect.ACCEPTABLE, desc = "Both were running before the stop, and are answered.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "An ask was handled but has failed, or was neither handled nor failed.")
    @State
    public static class DiscardAgainstTheNextAsk {
        private int handled;
        private final FunctionCell.Plain<Integer, Integer> actor =
                new FunctionCell.Plain<>(Roles.kind(), n -> ++handled);
        private final CompletableFuture<Integer> first;
        private final CompletableFuture<Integer> second;

        public DiscardAgainstTheNextAsk() {
            actor.becomeConsumer(); // the role is passed to the worker
            first = actor.ask(1);
            second = actor.ask(2);
        }

        @Actor
        public void worker() {
            actor.ready();
            Roles.run();
        }

        @Actor
        public void stopper() {
            actor.stop(StopMode.DISCARD);
            Roles.run();
        }

        @Arbiter
        public void end(II_Result r) {
            r.r1 = handled;
            r.r2 = wrong(first, handled >= 1) + wrong(second, handled == 2);
        }

        private static int wrong(CompletableFuture<Integer> ask, boolean wasHandled) {
            return ask.isDone() && ask.isCompletedExceptionally() != wasHandled ? 0 : 1;
        }
    }
}
