package io.fibry;

import java.util.function.Consumer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Turns of actors on real threads: what one message leaves to the next, and an interrupt against the next actor. */
final class TurnStress {

    private static final LocalSystem SYSTEM = new LocalSystem(ThreadStrategy.virtual());

    private TurnStress() {}

    /** Leaves every turn to the one who has made the actor ready. */
    private static final class Roles extends Dispatcher {
        private final ThreadLocal<Boolean> mine = ThreadLocal.withInitial(() -> false);

        @Override
        void ready(ActorCell<?> actor) {
            mine.set(true);
        }

        /** Runs turns, if the calling thread has got the role. */
        void run(ActorCell<?> actor) {
            if (mine.get()) {
                mine.remove();
                var runner = new Runner(Thread.currentThread());
                boolean more;
                do {
                    more = actor.runTurn(runner);
                } while (more);
            }
        }
    }

    private static <M> ActorCell<M> actor(Dispatcher dispatcher, Consumer<M> behavior) {
        return new ConsumerCell<>(new ActorKind(SYSTEM, dispatcher, Supervision.resume()), behavior);
    }

    @JCStressTest
    @Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "The second message sees what the first one wrote.")
    @Outcome(
            expect = Expect.FORBIDDEN,
            desc = "A plain write of one message was lost to the next, or a message was missed.")
    @State
    public static class StateFromMessageToMessage {
        private final Roles roles = new Roles();
        private int state; // plain
        private final ActorCell<Integer> actor = actor(roles, n -> state += n);

        @Actor
        public void one() {
            actor.tell(1);
            roles.run(actor);
        }

        @Actor
        public void other() {
            actor.tell(1);
            roles.run(actor);
        }

        @Arbiter
        public void end(I_Result r) {
            r.r1 = state;
        }
    }

    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "The next actor's handler sees no interrupt.")
    @Outcome(
            expect = Expect.FORBIDDEN,
            desc = "An interrupt meant for one actor has reached the next, or it was not run.")
    @State
    public static class InterruptAgainstTheNextActor {
        private final Roles roles = new Roles();
        private int ran;
        private int interrupted;
        private final ActorCell<Integer> stopped = actor(roles, n -> {});
        private final ActorCell<Integer> next = actor(roles, n -> {
            ran++;
            interrupted += Thread.currentThread().isInterrupted() ? 1 : 0;
        });

        @Actor
        public void worker() {
            try {
                stopped.tell(1);
            } catch (ActorStoppedException e) {
                interrupted = 0; // the stop came first, and there is nothing to interrupt
            }
            roles.run(stopped);
            next.tell(1);
            roles.run(next);
        }

        @Actor
        public void stopper() {
            stopped.stop(StopMode.INTERRUPT);
            roles.run(stopped);
        }

        @Arbiter
        public void end(II_Result r) {
            r.r1 = ran;
            r.r2 = interrupted;
        }
    }
}
