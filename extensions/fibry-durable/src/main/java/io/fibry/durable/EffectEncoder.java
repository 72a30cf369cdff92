package io.fibry.durable;

import io.fibry.codec.Codec;
import io.fibry.dispatch.Time;
import io.fibry.durable.DurableStore.NewMessage;
import io.fibry.durable.Outgoing.KeptReply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Encodes the effects of one message. Confined to one thread. */
final class EffectEncoder {

    /**
     * The delay of the first claim if the listener of this process delivers the message after the commit. The message
     * is usually handled before.
     */
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final Persistence<?, ?> sender;
    private final String key;
    private final DurableOptions options;
    private final Instant now = Time.now();
    private final List<String> cancelled = new ArrayList<>();
    private final List<NewMessage> messages = new ArrayList<>();

    private EffectEncoder(Persistence<?, ?> sender, String key, DurableOptions options) {
        this.sender = sender;
        this.key = key;
        this.options = options;
    }

    /**
     * Returns what a change stores besides the events and the state.
     *
     * @param handled the number of the stored message that the entity handles, or null
     * @throws IllegalArgumentException if an effect is not valid
     */
    static Outgoing encode(
            Persistence<?, ?> sender,
            String key,
            DurableOptions options,
            List<Effect> effects,
            @Nullable Long handled,
            @Nullable KeptReply reply) {
        if (effects.isEmpty() && handled == null && reply == null) {
            return Outgoing.NONE;
        }
        var encoder = new EffectEncoder(sender, key, options);
        effects.forEach(encoder::add);
        return new Outgoing(handled == null ? List.of() : List.of(handled), encoder.cancelled, encoder.messages, reply);
    }

    private void add(Effect effect) {
        switch (effect) {
            case Effect.Send<?> send -> send(send);
            case Effect.Publish<?> publish -> publish(publish);
            case Effect.RemindAfter<?> remind ->
                remind(remind.type(), remind.name(), due(remind.delay()), remind.message());
            case Effect.RemindAt<?> remind -> remind(remind.type(), remind.name(), remind.due(), remind.message());
            case Effect.Cancel cancel -> cancel(cancel.name());
        }
    }

    private void send(Effect.Send<?> send) {
        String type = send.type().name();
        byte[] message = encode(send.type().messages(), send.message());
        messages.add(new NewMessage(
                type, send.key(), sender.name() + "/" + key, null, null, 0, firstAttempt(type), message));
    }

    private void publish(Effect.Publish<?> publish) {
        String topic = publish.topic().name();
        if (options.target(topic) == null) {
            throw new IllegalArgumentException(
                    "the topic " + topic + " is unknown: add it to the options by DurableOptions.topic");
        }
        byte[] message = encode(publish.topic().messages(), publish.message());
        messages.add(new NewMessage(sender.name(), key, null, topic, null, 0, firstAttempt(sender.name()), message));
    }

    private long firstAttempt(String type) {
        return (sender.store().hasListener(type) ? now.plus(GRACE) : now).toEpochMilli();
    }

    /** Durations beyond the year 292 million mean that time. */
    private Instant due(Duration delay) {
        Instant latest = Instant.ofEpochMilli(Long.MAX_VALUE);
        return delay.compareTo(Duration.between(now, latest)) < 0 ? now.plus(delay) : latest;
    }

    private void remind(DurableType<?, ?> type, String name, Instant due, Object message) {
        if (!type.name().equals(sender.name())) {
            throw new IllegalArgumentException("reminder " + name + " is for the type " + type.name()
                    + ", but an entity of the type " + sender.name()
                    + " can remind only itself: send a message to the other one, which then reminds itself");
        }
        cancel(name);
        long millis = Math.max(1, toMillis(due)); // 0 stands for a message
        messages.add(
                new NewMessage(type.name(), key, null, null, name, millis, millis, encode(type.messages(), message)));
    }

    private static long toMillis(Instant time) {
        try {
            return time.toEpochMilli();
        } catch (ArithmeticException e) { // about the year 292 million
            return time.isBefore(Instant.EPOCH) ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    private void cancel(String reminder) {
        messages.removeIf(message -> reminder.equals(message.reminder()));
        cancelled.add(reminder);
    }

    @SuppressWarnings("unchecked") // the effects have the type of the message
    private static <T> byte[] encode(Codec<T> codec, Object message) {
        return codec.encode((T) message);
    }
}
