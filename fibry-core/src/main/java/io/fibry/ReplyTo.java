package io.fibry;

import org.jspecify.annotations.Nullable;

/**
 * Where the reply to one message goes. A sender puts it into the message with {@link Actor#ask(java.util.function.Function,
 * java.time.Duration)}; a behavior gets one for the message at work with {@link ReplyContext#deferReply}. The first reply or
 * failure completes the ask, later ones have no effect. Any thread may reply, also another actor.
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
     * @return false if the ask had ended before: by another reply, by its timeout, or by the end of the actor that was asked
     */
    boolean reply(R value);

    /**
     * Ends the ask with a failure. A {@link java.util.concurrent.CancellationException} does not cancel the ask: it becomes the cause of
     * a {@link BehaviorCancelledException}.
     *
     * @return false if the ask had ended before
     */
    boolean fail(Throwable cause);

    /**
     * Whether a reply still reaches somebody: false if nobody has asked, or the ask has ended. It may end at any time, so this is
     * for work that can be left out.
     */
    boolean isOpen();
}
