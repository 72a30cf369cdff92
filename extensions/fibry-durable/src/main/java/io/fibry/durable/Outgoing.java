package io.fibry.durable;

import io.fibry.durable.DurableStore.NewMessage;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The part of a change that leaves the entity.
 *
 * @param handled the numbers of the stored messages that the change handles: they are deleted
 * @param cancelled the names of the reminders that are cancelled or replaced
 * @param messages the messages and reminders to store, in order
 * @param reply the reply to keep, or null
 */
record Outgoing(
        List<Long> handled,
        List<String> cancelled,
        List<NewMessage> messages,
        @Nullable KeptReply reply) {

    static final Outgoing NONE = new Outgoing(List.of(), List.of(), List.of(), null);

    /** The reply to a request with a key; its bytes are null if the reply is. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record KeptReply(String requestKey, byte @Nullable [] reply) {}

    Outgoing {
        handled = List.copyOf(handled);
        cancelled = List.copyOf(cancelled);
        messages = List.copyOf(messages);
    }

    /** Returns the effect of having handled a message, and nothing else. */
    static Outgoing handled(long number) {
        return new Outgoing(List.of(number), List.of(), List.of(), null);
    }

    boolean isEmpty() {
        return handled.isEmpty() && cancelled.isEmpty() && messages.isEmpty() && reply == null;
    }

    long size() {
        byte[] kept = reply == null ? null : reply.reply;
        return messages.stream().mapToLong(m -> m.message().length).sum() + (kept == null ? 0 : kept.length);
    }

    static List<Effect> concat(List<Effect> effects, Effect[] more) {
        return Stream.concat(effects.stream(), Stream.of(more)).toList();
    }
}
