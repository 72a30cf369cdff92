package io.fibry.bench.savina;

import io.fibry.Actor;
import io.fibry.ActorContext;
import io.fibry.ActorSystem;
import io.fibry.ThrowingConsumer;
import org.jspecify.annotations.Nullable;

/** This library: anonymous actors of the default system. An unreachable idle actor is garbage, so no actor remains. */
final class FibryWorld extends World {

    @Override
    protected void begin(SavinaActor main) {
        start(main).tell(SavinaActor.START);
    }

    private Actor<Object> start(SavinaActor actor) {
        return new FibryCell(this, actor).start(actor.stashes());
    }

    @Override
    public void clear() {
        // see above
    }

    private static final class FibryCell extends Cell implements ThrowingConsumer<Object> {

        private @Nullable Actor<Object> self; // set before any message can be sent
        private @Nullable ActorContext<Object> context;

        FibryCell(FibryWorld world, SavinaActor actor) {
            super(world, actor);
        }

        Actor<Object> start(boolean stashes) {
            Actor<Object> actor = stashes
                    ? ActorSystem.anonymous().stashLimit(Integer.MAX_VALUE).newActorFrom(own -> {
                        context = own;
                        return this;
                    })
                    : ActorSystem.anonymous().newActor(this);
            self = actor;
            return actor;
        }

        @Override
        public void accept(Object message) {
            handle(message);
        }

        @Override
        protected Actor<Object> self() {
            return java.util.Objects.requireNonNull(self);
        }

        @Override
        protected Object spawn(SavinaActor other) {
            return ((FibryWorld) world).start(other);
        }

        @Override
        @SuppressWarnings("unchecked")
        protected void tell(Object to, Object message) {
            ((Actor<Object>) to).tell(message);
        }

        @Override
        protected void stop() {
            super.stop();
            self().stop();
        }

        private ActorContext<Object> context() {
            return java.util.Objects.requireNonNull(context);
        }

        @Override
        protected void stash(Object message) {
            context().stash();
        }

        @Override
        protected void unstash(int count) {
            context().unstash(count);
        }
    }
}
