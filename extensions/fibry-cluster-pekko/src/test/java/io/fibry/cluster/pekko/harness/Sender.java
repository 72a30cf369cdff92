package io.fibry.cluster.pekko.harness;

import io.fibry.ActorRef;
import io.fibry.ActorStoppedException;
import io.fibry.MailboxFullException;
import io.fibry.cluster.pekko.harness.Entry.Kind;
import io.fibry.entity.Entities;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Sends messages, and records each one with its outcome. Not thread-safe. */
final class Sender {

    /** The outcome of an ask: a reply or a failure. */
    record Outcome(@Nullable Reply reply, @Nullable Throwable failure) {

        String text() {
            return reply == null
                    ? failure.getClass().getSimpleName()
                    : reply.node() + " " + reply.instance() + " " + reply.count();
        }
    }

    private final String name;
    private final Journal journal;
    private final Map<String, Long> sequences = new HashMap<>();

    /** Creates a sender. Its name must be unique in the run. */
    Sender(String name, Journal journal) {
        this.name = name;
        this.journal = journal;
    }

    Message message(String key, int work, boolean odd) {
        return new Message(key, name, sequences.merge(key, 1L, Long::sum), Journal.nextId(), work, odd);
    }

    /** Returns the reason of the refusal, or null if the message was accepted. */
    @Nullable
    RuntimeException tell(Entities<String, Message, Reply> entities, Message message) {
        journal.sender(Kind.SENT, message, "-");
        try {
            entities.ref(message.key()).tell(message);
            return null;
        } catch (RuntimeException e) {
            journal.sender(Kind.REFUSED, message, e.getClass().getSimpleName());
            return e;
        }
    }

    /** Returns a future that completes after the outcome has been recorded, and never exceptionally. */
    CompletableFuture<Outcome> ask(Entities<String, Message, Reply> entities, Message message, Duration timeout) {
        journal.sender(Kind.ASKED, message, "-");
        CompletableFuture<Reply> asked;
        try {
            ActorRef<Message, Reply> ref = entities.ref(message.key());
            asked = ref.ask(message, timeout);
        } catch (RuntimeException e) {
            asked = CompletableFuture.failedFuture(e);
        }
        return asked.handle((reply, failure) -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            journal.sender(
                    outcome(cause),
                    message,
                    cause == null
                            ? String.valueOf(reply.count())
                            : cause.getClass().getSimpleName());
            return new Outcome(reply, cause);
        });
    }

    private static Kind outcome(@Nullable Throwable failure) {
        return switch (failure) {
            case null -> Kind.ANSWERED;
            case ActorStoppedException stopped -> Kind.REFUSED;
            case MailboxFullException full -> Kind.REFUSED;
            case TimeoutException expired -> Kind.EXPIRED;
            default -> Kind.FAILED;
        };
    }
}
