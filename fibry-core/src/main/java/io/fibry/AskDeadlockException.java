package io.fibry;

import java.util.List;

/**
 * Thrown when an ask without a timeout completes a circle of actors that wait for each other: none of them would ever go on. The
 * ask fails at once, which opens the circle. The message has the names of the first ten actors, such as {@code orders -> billing ->
 * orders}, and the number of the others. The suppressed exceptions have the stacks of these actors, and the reason why each of
 * them waits.
 *
 * <p>In place of an ask that waits for its own circle, send the reply as a message, or defer it.
 */
public final class AskDeadlockException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    private final String[] circle;

    AskDeadlockException(String message, List<String> circle, List<? extends Throwable> stacks) {
        super(message);
        this.circle = circle.toArray(new String[0]);
        stacks.forEach(this::addSuppressed);
    }

    /** The names of the actors: each waits for the next one. The first one is also the last. */
    public List<String> circle() {
        return List.of(circle);
    }
}
