package io.fibry.bench.savina;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A cell of a peer that is a loop over a queue, without a stash: it stores the messages itself. */
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

    /** Returns the next unstashed message, if any, which precedes the messages of the queue. */
    protected final @Nullable Object unstashed() {
        if (released == 0 || stash == null) {
            return null;
        }
        released--;
        return stash.pollFirst();
    }
}
