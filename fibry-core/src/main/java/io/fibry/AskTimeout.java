package io.fibry;

import io.fibry.dispatch.Alarm;
import io.fibry.dispatch.Durations;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The time limit of an ask, and what its end can tell about the actor that did not answer. */
final class AskTimeout {

    private final ActorState<?> actor;
    private final Reply<?> reply;
    private final Duration timeout;
    private final long begin = System.nanoTime();

    /** What was at work when the message was sent: no message bears a time, so its age can only be told from this. */
    private final @Nullable Envelope atWorkThen;

    AskTimeout(ActorState<?> actor, Reply<?> reply, Duration timeout) {
        this.actor = actor;
        this.reply = reply;
        this.timeout = timeout;
        atWorkThen = actor.progress().atWork();
    }

    /** Sets the alarm. After the message has been sent, unless that may take long. */
    void start() {
        if (!reply.isDone()) {
            limit(reply, timeout, this::end);
        }
    }

    /** Fails a reply that has not come in time. */
    static void limit(Reply<?> reply, Duration timeout, Supplier<AskTimeoutException> end) {
        var alarm = new Alarm();
        alarm.start(Durations.nanos(timeout), () -> reply.completeExceptionally(end.get()));
        CompletableFuture<?> unusedReply = reply.whenComplete((value, failure) -> alarm.cancel());
    }

    /** The time is over: what is known about it. */
    AskTimeoutException end() {
        WorkSnapshot progress = actor.progress();
        int position = progress.position(reply);
        Envelope atWork = progress.atWork();
        var text = new StringBuilder("actor " + actor.name() + " did not answer within " + timeout + ": ");
        if (position > 0) {
            text.append("the message is number ").append(position).append(" of those that wait; ");
        } else if (position < 0) {
            text.append(
                    "the message was not found in the mailbox: it waits for room, has been put aside, or its reply is"
                            + " deferred; ");
        }
        if (atWork == null) {
            text.append("nothing is at work");
        } else {
            Duration since = Duration.ofNanos(System.nanoTime() - begin);
            text.append("at work ")
                    .append(atWork == atWorkThen ? "for more than " : "for less than ")
                    .append(since)
                    .append(" is ")
                    .append(atWork.reply == reply ? "this message, " : "")
                    .append("a ")
                    .append(atWork.message.getClass().getName());
        }
        return new AskTimeoutException(text.toString(), position, progress.stack());
    }
}
