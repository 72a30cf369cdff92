package io.fibry.bench.savina;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A cell whose peer is a loop over a queue and has no stash: it keeps the messages itself. */
public abstract class OwnStash extends Cell {

    private @Nullable ArrayDeque<Object> stash;
    private int released;

    protected OwnStash(World world, SavinaActor actor) {
        super(world, actor);
    }

    @Override
    protected final void stash(Object message) {
        if (stash == null) {
            stash = new ArrayDeque<>();
        }
        stash.addLast(message);
    }

    @Override
    protected final void unstash(int count) {
        released = stash == null ? 0 : Math.min(count, stash.size());
    }

    /** The next message that the actor has unstashed, if any: it comes before those of the queue. */
    protected final @Nullable Object unstashed() {
        if (released == 0 || stash == null) {
            return null;
        }
        released--;
        return stash.pollFirst();
    }
}
