package io.fibry;

import org.jspecify.annotations.Nullable;

/**
 * The destination of the reply to one message. A sender puts it into the message with
 * {@link Actor#ask(java.util.function.Function, java.time.Duration)}; a behavior obtains one for the current message
 * with {@link ReplyContext#deferReply}. The first reply or failure completes the ask; later ones have no effect. Any
 * thread or actor may reply.
 *
 * <p>Stages that depend on the ask's future run on the thread that replies, unless they are <i>async</i> stages.
 *
 * {@snippet class = "AskSnippets" region = "replyTo"}
 *
 * @param <R> the type of the reply
 */
public interface ReplyTo<R extends @Nullable Object> {

    /**
     * Replies.
     *
     * @return false if the ask had ended before: by another reply, by its timeout, or by the end of the actor that was
     *     asked
     */
    boolean reply(R value);

    /**
     * Ends the ask with a failure. A {@link java.util.concurrent.CancellationException} does not cancel the ask: it
     * becomes the cause of a {@link BehaviorCancelledException}.
     *
     * @return false if the ask had ended before
     */
    boolean fail(Throwable cause);

    /**
     * Returns whether the ask is still open: false if there is no ask, or if it has ended. The ask may end at any time.
     * Use this method to skip work whose result is no longer needed.
     */
    boolean isOpen();
}
