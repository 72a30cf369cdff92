package io.fibry.dispatch;

/**
 * A resource for {@code Actor.closeOnExit} that ends with the behavior to which it belongs, such as the scope of its
 * coroutines. If the factory of an actor or one of its handlers adds the resource, the next restart closes it before
 * the factory runs again. Otherwise, only the end of the actor closes it.
 */
public interface BehaviorResource extends AutoCloseable {

    @Override
    void close();

    /**
     * Closes the resource at a restart. The caller is the thread that restarts the actor: that of its turn, or that of
     * its supervisor. The method must not wait beyond the deadline, because the resource may depend on actors that
     * continue only after the restart. By default, calls {@link #close}.
     *
     * @param deadline a value of {@link Time#nanos}
     */
    default void closeAtRestart(long deadline) {
        close();
    }
}
