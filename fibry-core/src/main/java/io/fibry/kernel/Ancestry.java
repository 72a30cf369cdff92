package io.fibry.kernel;

import org.jspecify.annotations.Nullable;

/**
 * The position of a child in the tree: its parent, its depth, and a skip pointer to a higher ancestor. The search for
 * the ancestor at a given depth follows the skip pointer unless it leads too high, and takes O(log depth) steps. The
 * lengths of the skip pointers follow Myers' "applicative random-access stack": one pointer for each child is
 * sufficient.
 */
final class Ancestry {

    final ActorState<?> parent;
    private final ActorState<?> shortcut;
    private final int depth;

    private Ancestry(ActorState<?> parent, ActorState<?> shortcut, int depth) {
        this.parent = parent;
        this.shortcut = shortcut;
        this.depth = depth;
    }

    static Ancestry below(ActorState<?> parent) {
        ActorState<?> near = shortcutOf(parent);
        ActorState<?> far = shortcutOf(near);
        boolean joins = depthOf(parent) - depthOf(near) == depthOf(near) - depthOf(far);
        return new Ancestry(parent, joins ? far : parent, depthOf(parent) + 1);
    }

    /**
     * The child of the ancestor that is this actor or an ancestor of it; null if this actor does not descend from it.
     */
    static @Nullable ActorState<?> childBelow(ActorState<?> ancestor, ActorState<?> actor) {
        int depth = depthOf(ancestor) + 1;
        ActorState<?> a = actor;
        Ancestry place = a.ancestry();
        while (place != null && place.depth > depth) {
            a = depthOf(place.shortcut) >= depth ? place.shortcut : place.parent;
            place = a.ancestry();
        }
        return place != null && place.parent == ancestor ? a : null;
    }

    private static int depthOf(ActorState<?> actor) {
        Ancestry place = actor.ancestry();
        return place == null ? 0 : place.depth;
    }

    /** A root is its own shortcut. */
    private static ActorState<?> shortcutOf(ActorState<?> actor) {
        Ancestry place = actor.ancestry();
        return place == null ? actor : place.shortcut;
    }
}
