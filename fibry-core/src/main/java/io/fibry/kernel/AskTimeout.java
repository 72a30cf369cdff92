package io.fibry.kernel;

import io.fibry.AskTimeoutException;
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

    /**
     * The current message when the ask was sent. Messages have no timestamp, so this bounds the age of the message that
     * is current at the timeout.
     */
    private final @Nullable Envelope currentThen;

    AskTimeout(ActorState<?> actor, Reply<?> reply, Duration timeout) {
        this.actor = actor;
        this.reply = reply;
        this.timeout = timeout;
        currentThen = actor.progress().current();
    }

    /** Starts the alarm. Called after the message has been sent, unless the sender may have to wait for room. */
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

    /** Creates the exception with a diagnosis of the message and the actor at this moment. */
    AskTimeoutException end() {
        Diagnosis diagnosis = Diagnosis.of(actor, begin);
        String handled = handled();
        int position = handled == null ? diagnosis.position(reply) : -1;
        var text = new StringBuilder("actor " + actor.name() + " did not answer within " + timeout + ": ");
        if (handled != null) {
            text.append(handled);
            Envelope current = diagnosis.current();
            if (current != null && current.reply == reply) { // the diagnosis is older than the end of the handler
                return new AskTimeoutException(text.toString(), position, null);
            }
            text.append("; ");
        } else if (position > 0) {
            text.append("the message is number ").append(position).append(" in the mailbox; ");
        } else if (position < 0 && diagnosis.knows(begin)) {
            text.append(place()).append("; ");
        } else if (position < 0) {
            text.append("too many asks time out at once to find the place of each message; ");
        }
        appendWork(text, diagnosis);
        return new AskTimeoutException(text.toString(), position, diagnosis.stack());
    }

    /**
     * Describes a message whose handler has returned without a reply; null if that is not the case. The actor keeps the
     * reply of such a message.
     */
    private @Nullable String handled() {
        Lifecycle l = actor.lifecycleIfAny();
        DeferredReplies deferred = l == null ? null : l.deferredIfAny();
        Duration since = deferred == null ? null : deferred.openFor(reply);
        if (since == null) {
            return null;
        }
        ContextState context = actor.context();
        if (context != null && context.isHandling(reply)) { // it has deferred the reply, and still runs
            return null;
        }
        return "the message was handled, but not replied to: "
                + (reply.isInMessage()
                        ? "its handler returned " + since + " ago, and its ReplyTo has got no reply"
                        : "its handler deferred the reply " + since + " ago, and it has not been given");
    }

    /** Describes the position of a message that is not in the mailbox. */
    private String place() {
        Lifecycle l = actor.lifecycleIfAny();
        if (l != null && isStashed(l)) {
            return "the message is stashed";
        }
        BoundedMailbox bounded = actor.boundedMailbox();
        return bounded != null && bounded.spec().blocksSenders() && bounded.isFull()
                ? "the sender waits for room in the mailbox"
                : "the message was neither in the mailbox nor in the stash";
    }

    private boolean isStashed(Lifecycle l) {
        boolean[] found = new boolean[1];
        l.lock();
        try {
            actor.forEachStashed(envelope -> found[0] |= envelope.reply == reply);
        } finally {
            l.unlock();
        }
        return found[0];
    }

    private void appendWork(StringBuilder text, Diagnosis diagnosis) {
        Envelope current = diagnosis.current();
        if (current == null) {
            text.append(diagnosis.reason());
            return;
        }
        Duration since = Duration.ofNanos(Time.nanos() - begin);
        text.append("the actor has worked ")
                .append(current == currentThen ? "for more than " : "for less than ")
                .append(since)
                .append(" on ")
                .append(current.reply == reply ? "this message, " : "")
                .append("a ")
                .append(current.message.getClass().getName());
    }
}
