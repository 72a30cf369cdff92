package io.fibry.bench.savina;

import static java.util.Objects.requireNonNull;

import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.StashBuffer;
import org.apache.pekko.japi.function.Function2;
import org.jspecify.annotations.Nullable;

/** An actor of Pekko: a behavior that gets its context with each message, and a stash buffer if required. */
final class PekkoCell extends Cell implements Function2<ActorContext<Object>, Object, Behavior<Object>> {

    private static final long serialVersionUID = 1; // required by the interface; never serialized

    private final transient Behavior<Object> behavior = Behaviors.receive(this);
    private final transient boolean stashes;
    private transient @Nullable ActorContext<Object> context;
    private transient @Nullable StashBuffer<Object> buffer;
    private int released;

    PekkoCell(PekkoWorld world, SavinaActor actor) {
        super(world, actor);
        stashes = actor.stashes();
    }

    ActorRef<Object> start(ActorContext<Object> parent) {
        return parent.spawnAnonymous(stashes ? Behaviors.withStash(Integer.MAX_VALUE, this::stashingIn) : behavior);
    }

    private Behavior<Object> stashingIn(StashBuffer<Object> own) {
        buffer = own;
        return behavior;
    }

    @Override
    public Behavior<Object> apply(ActorContext<Object> own, Object message) {
        context = own;
        handle(message);
        if (isStopped()) {
            return Behaviors.stopped();
        }
        int count = released;
        if (count == 0) {
            return Behaviors.same();
        }
        released = 0;
        return requireNonNull(buffer).unstash(behavior, count, stashed -> stashed);
    }

    @Override
    protected Object self() {
        return requireNonNull(context).getSelf();
    }

    @Override
    protected Object spawn(SavinaActor other) {
        return new PekkoCell((PekkoWorld) world, other).start(requireNonNull(context));
    }

    @Override
    @SuppressWarnings("unchecked")
    protected void tell(Object to, Object message) {
        ((ActorRef<Object>) to).tell(message);
    }

    @Override
    protected void stash(Object message) {
        requireNonNull(buffer).stash(message);
    }

    @Override
    protected void unstash(int count) {
        released = Math.min(count, requireNonNull(buffer).size());
    }
}
