package io.fibry.kernel;

import io.fibry.StopMode;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Interrupts on real threads: which actor and which message they reach. */
final class InterruptStress {

    private InterruptStress() {}

    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "The next actor's handler sees no interrupt.")
    @Outcome(
            expect = Expect.FORBIDDEN,
            desc = "An interrupt meant for one actor has reached the next, or the next one has not run.")
    @State
    public static class StopAgainstTheNextActor {
        private int ran;
        private int interrupted;
        private final ActorCell<Integer> stopped = Roles.actor(n -> {});
        private final ActorCell<Integer> next = Roles.actor(n -> {
            ran++;
            interrupted += Thread.currentThread().isInterrupted() ? 1 : 0;
        });

        @Actor
        public void worker() {
            Roles.tell(stopped, 1);
            Roles.run();
            next.tell(1);
            Roles.run();
        }

        @Actor
        public void stopper() {
            stopped.stop(StopMode.INTERRUPT);
            Roles.run();
        }

        @Arbiter
        public void end(II_Result r) {
            r.r1 = ran;
            r.r2 = interrupted;
        }
    }

    /**
     * A supervisor interrupts the running handler because the actor has to pause. After the pause the actor handles its
     * next message. That message may be interrupted only while the pause is requested.
     */
    @JCStressTest
    @Outcome(
            id = "2, 0",
            expect = Expect.ACCEPTABLE,
            desc = "Both messages are handled, and the interrupt reaches none after the pause it was meant for.")
    @Outcome(
            expect = Expect.FORBIDDEN,
            desc = "An interrupt meant for one message has reached the next, or a message was missed.")
    @State
    public static class PauseAgainstTheNextMessage {
        private int handled;
        private int interrupted;
        private final ActorCell<Integer> actor = Roles.actor(this::handle);

        private void handle(int message) {
            handled++;
            boolean mine = Thread.currentThread().isInterrupted();
            interrupted += mine && !actor.lifecycle().pause().isWanted() ? 1 : 0;
        }

        @Actor
        public void worker() {
            actor.tell(1);
            Roles.run();
            endPause();
            actor.tell(2);
            Roles.run();
        }

        @Actor
        public void supervisor() {
            Stopping.wantPause(actor);
            Stopping.callForPause(actor, true);
            Roles.run();
        }

        @Arbiter
        public void end(II_Result r) {
            endPause();
            actor.stop(); // otherwise the system would keep it registered
            Roles.run();
            r.r1 = handled;
            r.r2 = interrupted;
        }

        private void endPause() {
            if (actor.lifecycle().pause().release()) {
                actor.ready();
                Roles.run();
            }
        }
    }
}
