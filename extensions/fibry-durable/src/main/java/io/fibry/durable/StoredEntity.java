package io.fibry.durable;

import io.fibry.ActorInterruptedException;
import io.fibry.ThrowingRunnable;
import io.fibry.dispatch.LogText;
import io.fibry.dispatch.Time;
import io.fibry.durable.DurableMessage.Keyed;
import io.fibry.durable.DurableMessage.Plain;
import io.fibry.durable.DurableMessage.Wake;
import io.fibry.durable.DurableOptions.Target;
import io.fibry.durable.DurableStore.Excluded;
import io.fibry.durable.DurableStore.StoredMessage;
import io.fibry.durable.DurableStore.StoredReply;
import io.fibry.durable.EntityLogic.Step;
import io.fibry.durable.EntityLogic.Versioned;
import io.fibry.durable.Outgoing.KeptReply;
import io.fibry.entity.EntityBehavior;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The behavior of a durable entity: it handles messages, asks with a request key, and stored messages, and stores the
 * result of each of them as one change.
 */
final class StoredEntity<S, M, R extends @Nullable Object> implements EntityBehavior<DurableMessage<M>, R> {

    /** The number of stored messages that are read at a time. */
    private static final int PAGE = 100;

    /** The rest is left to the next wake: other messages to the entity must not wait for a long backlog. */
    private static final int MAX_HANDLED = 1000;

    /** After this number of failures, the entity leaves all other messages to the next attempt. */
    private static final int MAX_FAILURES = 1000;

    private static final int MAX_CAUSES = 100;

    private final Persistence<M, R> persistence;
    private final DurableStore store;
    private final String key;
    private final DurableOptions options;
    private final ThrowingRunnable awaitOwnership;
    private final EntityLogic<S, M, R> logic;

    /** The state after the last change; null if the outcome of a change is unknown. */
    private @Nullable Versioned<S> current;

    private StoredEntity(
            Persistence<M, R> persistence,
            String key,
            DurableOptions options,
            ThrowingRunnable awaitOwnership,
            EntityLogic<S, M, R> logic) {
        this.persistence = persistence;
        this.store = persistence.store();
        this.key = key;
        this.options = options;
        this.awaitOwnership = awaitOwnership;
        this.logic = logic;
    }

    static <M, R extends @Nullable Object> EntityBehavior<DurableMessage<M>, R> begin(
            Persistence<M, R> persistence, String key, DurableOptions options, ThrowingRunnable awaitOwnership)
            throws Exception {
        return begin(persistence, key, options, awaitOwnership, persistence.logic(key));
    }

    private static <S, M, R extends @Nullable Object> StoredEntity<S, M, R> begin(
            Persistence<M, R> persistence,
            String key,
            DurableOptions options,
            ThrowingRunnable awaitOwnership,
            EntityLogic<S, M, R> logic)
            throws Exception {
        var entity = new StoredEntity<>(persistence, key, options, awaitOwnership, logic);
        entity.current = logic.load();
        return entity;
    }

    @Override
    @SuppressWarnings("NullAway") // nobody uses the reply to a wake
    public R handle(DurableMessage<M> message) throws Exception {
        return switch (message) {
            case Plain<M> plain -> handle(plain.message(), null, null).reply();
            case Keyed<M> keyed -> handleOnce(keyed.requestKey(), keyed.message());
            case Wake<M> wake -> {
                handleStored(wake.now());
                yield null;
            }
        };
    }

    @Override
    public void onEnd() throws Exception {
        logic.onEnd();
    }

    // ---- one message

    /** Handles a message, and stores the result if there is one. */
    private Step<S, R> handle(M message, @Nullable Long number, @Nullable String requestKey) throws Exception {
        Versioned<S> before = current();
        Step<S, R> step = logic.handle(before, message);
        KeptReply reply = requestKey == null ? null : new KeptReply(requestKey, encode(step.reply()));
        Outgoing outgoing = EffectEncoder.encode(persistence, key, options, step.effects(), number, reply);
        if (!step.events().isEmpty() || step.stored() != null || !outgoing.isEmpty()) {
            store(before, step.events(), step.stored(), outgoing, step.state());
        }
        return step;
    }

    private void store(Versioned<S> before, List<byte[]> events, byte @Nullable [] stored, Outgoing outgoing, S after)
            throws Exception {
        var write = new Write(persistence.name(), key, before.revision(), before.version(), events, stored, outgoing);
        current = null; // after a failed write, the stored revision is unknown
        store.write(write);
        current = new Versioned<>(before.revision() + 1, write.newVersion(), after);
    }

    private Versioned<S> current() throws Exception {
        Versioned<S> known = current;
        if (known == null) {
            known = logic.load();
            current = known;
        }
        return known;
    }

    private byte @Nullable [] encode(R reply) {
        return reply == null ? null : persistence.type().replies().encode(reply);
    }

    /**
     * Handles a message unless its reply is stored. The revision is known before the look-up: if another owner has
     * replied meanwhile, the change is stale.
     */
    @SuppressWarnings("NullAway") // the entity has replied with null
    private R handleOnce(String requestKey, M message) throws Exception {
        var unused = current();
        StoredReply earlier = store.reply(persistence.name(), key, requestKey);
        if (earlier == null) {
            return handle(message, null, requestKey).reply();
        }
        byte[] reply = earlier.reply();
        return reply == null ? null : persistence.type().replies().decode(reply);
    }

    // ---- stored messages

    /**
     * Handles all stored messages that are due. If one fails, the later ones of its sender are skipped, and the others
     * are handled. The first failure is thrown at the end, and the delivery repeats the attempt.
     */
    private void handleStored(Instant now) throws Exception {
        var failures = new Failures();
        List<StoredMessage> messages = read(now, failures);
        int handled = 0;
        while (!messages.isEmpty() && failures.count < MAX_FAILURES && handled < MAX_HANDLED) {
            handled += handleAll(messages, failures);
            messages = read(now, failures);
        }
        if (!messages.isEmpty() && handled >= MAX_HANDLED) {
            store.notifyReceiver(persistence.name(), key);
        }
        failures.throwFirst();
    }

    /**
     * Reads the first messages that are not excluded by a failure. Others may have been stored before the last one that
     * was read, so no read begins after an earlier one. Reads the revision before the messages; {@link DurableStore}
     * has the reason.
     */
    private List<StoredMessage> read(Instant wake, Failures failures) throws Exception {
        var unused = current();
        Instant own = Time.now();
        Instant now = own.isBefore(wake) ? wake : own; // the clock of another node may be ahead
        return store.messages(persistence.name(), key, now, failures.excluded, PAGE);
    }

    /**
     * Returns the number of messages that have been handled. Ends early at a reminder that an earlier message may have
     * cancelled.
     */
    private int handleAll(List<StoredMessage> messages, Failures failures) throws Exception {
        int handled = 0;
        boolean mayBeCancelled = false;
        for (StoredMessage message : messages) {
            if (message.isReminder() && mayBeCancelled) {
                break;
            }
            if (failures.excluded.contains(message)) {
                continue;
            }
            awaitOwnership.run(); // outside the try: its failure is not a failure of the message
            long number = message.number();
            try {
                if (message.topic() != null) {
                    publish(message, message.topic());
                } else if (handleStored(message)) {
                    mayBeCancelled = true;
                }
                handled++;
            } catch (InterruptedException | ActorInterruptedException e) {
                throw e;
            } catch (Throwable e) { // also an Error delays only the messages of its sender
                if (current == null || isInterrupt(e)) { // the store has failed, or has another owner
                    throw e;
                }
                failures.add(
                        message,
                        new IllegalStateException(
                                "stored message " + number + " of " + LogText.plain(persistence.name() + "/" + key)
                                        + " cannot be handled: " + LogText.plain(e),
                                e));
            }
        }
        return handled;
    }

    /**
     * Returns whether the behavior has ended by an interrupt of this thread, such as a stop of the entity. Many
     * libraries wrap the exception. The exception of a future may be an interrupt of another thread.
     */
    private static boolean isInterrupt(Throwable failure) {
        if (Thread.currentThread().isInterrupted()) {
            return true;
        }
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) { // causes may form a cycle
            if (cause instanceof InterruptedException || cause instanceof ActorInterruptedException) {
                return true;
            }
            if (cause instanceof ExecutionException || cause instanceof CompletionException) {
                return false;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /** Returns whether the handling may have cancelled a reminder. */
    private boolean handleStored(StoredMessage stored) throws Exception {
        M message = persistence.type().messages().decode(stored.message());
        return handle(message, stored.number(), null).effects().stream()
                .anyMatch(effect -> !(effect instanceof Effect.Send || effect instanceof Effect.Publish));
    }

    private void publish(StoredMessage stored, String topic) throws Exception {
        Target<?> target = options.target(topic);
        if (target == null) {
            throw new IllegalStateException("the topic " + topic + " is unknown: add it by DurableOptions.topic");
        }
        target.publish(stored.message());
        Versioned<S> before = current();
        store(before, List.of(), null, Outgoing.handled(stored.number()), before.state());
    }

    /** The messages that are left to the next attempt. */
    private static final class Failures {

        final Excluded excluded = new Excluded(new HashSet<>(), new HashSet<>(), new HashSet<>());
        int count;
        private @Nullable Exception first;

        /** Messages of the same sender, or to the same topic, are in order; reminders are independent. */
        void add(StoredMessage message, Exception failure) {
            if (message.topic() != null) {
                excluded.topics().add(message.topic());
            } else if (message.sender() != null) {
                excluded.senders().add(message.sender());
            } else {
                excluded.numbers().add(message.number());
            }
            count++;
            first = first == null ? failure : first;
        }

        void throwFirst() throws Exception {
            if (first != null) {
                throw first;
            }
        }
    }
}
