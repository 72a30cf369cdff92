package io.fibry;

import io.fibry.dispatch.Alarm;
import io.fibry.dispatch.Durations;
import io.fibry.dispatch.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The timeout of an ask, and the diagnosis for its exception. */
final class AskTimeout {

    private final ActorState<?> actor;
    private final Reply<?> reply;
    private final Duration timeout;
    private final long begin = Time.nanos();

    /** The message at work when the ask was sent. Messages have no timestamp, so this bounds the age of the one at work. */
    private final @Nullable Envelope atWorkThen;

    AskTimeout(ActorState<?> actor, Reply<?> reply, Duration timeout) {
        this.actor = actor;
        this.reply = reply;
        this.timeout = timeout;
        atWorkThen = actor.progress().atWork();
    }

    /** Sets the alarm. Called after the message has been sent, unless the sender may have to wait for room. */
    void start() {
        if (!reply.isDone()) {
            limit(reply, timeout, this::end);
        }
    }

    /** Fails the reply after the timeout. */
    static void limit(Reply<?> reply, Duration timeout, Supplier<AskTimeoutException> end) {
        var alarm = new Alarm();
        alarm.start(Durations.nanos(timeout), () -> reply.completeExceptionally(end.get()));
        CompletableFuture<?> unusedReply = reply.whenComplete((value, failure) -> alarm.cancel());
    }

    /** The exception, with what is known about the message and the actor at this moment. */
    AskTimeoutException end() {
        Diagnosis diagnosis = Diagnosis.of(actor, begin);
        int position = diagnosis.position(reply);
        var text = new StringBuilder("actor " + actor.name() + " did not answer within " + timeout + ": ");
        if (position > 0) {
            text.append("the message is number ").append(position).append(" in the mailbox; ");
        } else if (position < 0 && diagnosis.knows(begin)) {
            text.append("the message was not found: it waits for room, is stashed, or its reply is deferred; ");
        } else if (position < 0) {
            text.append("too many asks time out at once to find the place of each message; ");
        }
        appendWork(text, diagnosis.atWork());
        return new AskTimeoutException(text.toString(), position, diagnosis.stack());
    }

    private void appendWork(StringBuilder text, @Nullable Envelope atWork) {
        if (atWork == null) {
            Lifecycle l = actor.lifecycleIfAny();
            Pause p = l == null ? null : l.pauseIfAny();
            String pause = p == null ? null : p.reason();
            text.append(pause == null ? "nothing is at work" : "the actor is paused: " + pause);
            return;
        }
        Duration since = Duration.ofNanos(Time.nanos() - begin);
        text.append("the actor has worked ")
                .append(atWork == atWorkThen ? "for more than " : "for less than ")
                .append(since)
                .append(" on ")
                .append(atWork.reply == reply ? "this message, " : "")
                .append("a ")
                .append(atWork.message.getClass().getName());
    }
}
