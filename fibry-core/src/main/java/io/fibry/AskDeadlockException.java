package io.fibry;

import io.fibry.dispatch.LogText;
import java.util.List;

/**
 * Thrown when an ask without a timeout completes a cycle of actors that wait for each other: none of them could ever
 * proceed. The ask fails at once, which breaks the cycle. The message contains the names of the first ten actors, such
 * as {@code orders -> billing -> orders}, and the number of the others. The suppressed exceptions contain the stacks of
 * these actors, and the reason why each of them waits.
 *
 * <p>To avoid the cycle, let an actor receive the reply as a message ({@link ActorContext#pipeToSelf}), or defer its
 * own reply ({@link ReplyContext#deferReply}).
 */
public final class AskDeadlockException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    private final String[] cycle;

    /** Makes an exception with the names of {@link #cycle()} and the stacks of the handlers that wait. */
    public AskDeadlockException(String message, List<String> cycle, List<? extends Throwable> stacks) {
        super(LogText.plain(message));
        this.cycle = cycle.toArray(new String[0]);
        stacks.forEach(this::addSuppressed);
    }

    /**
     * Returns the names of the actors in the cycle: each waits for the next. The first name is repeated as the last.
     */
    public List<String> cycle() {
        return List.of(cycle);
    }
}
