package io.fibry.durable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The states, events and messages of entities. Each entity has a revision, which is 0 before its first change and
 * increases by one with each change. A change is conditional on the revision: an entity that has moved to another node
 * cannot overwrite what its successor has stored. All methods are safe for use by any thread, and may block.
 *
 * <p>The waiting messages of an entity are deleted only by its own changes. An owner that reads a revision and then the
 * waiting messages therefore cannot handle a message twice: if another owner has handled it meanwhile, the change of
 * the first owner is stale.
 */
abstract class DurableStore {

    /** The maximum pause between two attempts to deliver a message. */
    static final Duration MAX_PAUSE = Duration.ofMinutes(1);

    /** The maximum number of events of a page. */
    static final int PAGE_EVENTS = 1024;

    /** A page may end with the event with which it reaches this number of bytes. */
    static final int PAGE_BYTES = 4 << 20;

    private final ConcurrentHashMap<String, List<Consumer<String>>> listenersByType = new ConcurrentHashMap<>();

    /**
     * Returns the stored state and version of an entity, or null if nothing is stored. The result must be durable, as
     * after {@link #write}.
     *
     * @throws Exception if the store cannot be read
     */
    abstract @Nullable Stored load(String type, String id) throws Exception;

    /**
     * Returns the stored state and version of an entity, all 0 if nothing is stored, and the first events after the
     * state. The events are read after the state, and may be newer than its version.
     *
     * @param limit the maximum number of events; fewer are returned if they have {@link #PAGE_BYTES}
     * @throws Exception if the store cannot be read
     */
    abstract StoredHistory recover(String type, String id, int limit) throws Exception;

    /**
     * Returns the events of an entity after a version, in order of their versions.
     *
     * @param limit the maximum number of events; fewer are returned if they have {@link #PAGE_BYTES}
     * @throws Exception if the store cannot be read
     */
    abstract List<StoredEvent> events(String type, String id, long after, int limit) throws Exception;

    /**
     * Returns the waiting messages of an entity that are due: first the messages and publications, in order of their
     * numbers, then the reminders, in order of their times.
     *
     * @param excluded the messages that are not returned
     * @param limit the maximum number of messages
     * @throws Exception if the store cannot be read
     */
    abstract List<StoredMessage> messages(String type, String id, Instant now, Excluded excluded, int limit)
            throws Exception;

    /**
     * Returns the reply to an earlier request with this key, or null if there is none.
     *
     * @throws Exception if the store cannot be read
     */
    abstract @Nullable StoredReply reply(String type, String id, String requestKey) throws Exception;

    /**
     * Atomically stores a change of an entity if the stored revision is the expected one. When this method returns, the
     * change survives a failure of the process and of the machine. Then the listeners of the receivers are called.
     *
     * @throws StaleStateException if the stored revision differs; nothing was stored
     * @throws Exception any other failure, including an interrupt; the outcome is unknown
     */
    abstract void write(Write write) throws Exception;

    /**
     * Deletes the events of an entity up to its last stored state, oldest first, in several transactions. Returns their
     * number.
     *
     * @throws Exception if the store fails; the oldest events may have been deleted
     */
    abstract long deleteEvents(String type, String id) throws Exception;

    /**
     * Returns the ids of entities with messages whose delivery is to be attempted now, and postpones the next attempt
     * of these messages, by one second to one minute. Concurrent calls return different messages.
     *
     * @param limit the maximum number of messages
     * @throws Exception if the store fails; the outcome is unknown
     */
    abstract List<String> claim(String type, Instant now, int limit) throws Exception;

    /**
     * Deletes stored replies, and returns their number.
     *
     * @param limit the maximum number of replies
     * @throws Exception if the store fails; the outcome is unknown
     */
    abstract int deleteReplies(String type, Instant before, int limit) throws Exception;

    /** Returns the number of messages and of due reminders that wait for the entities of a type. */
    abstract Waiting waiting(String type, Instant now) throws Exception;

    /** Returns the counts of the changes of a type that this process has stored. */
    abstract ChangeCounts counts(String type);

    // ---- messages stored by this process

    /** Adds a listener, which is called with the id of each entity for which a change has stored a message. */
    final void addListener(String type, Consumer<String> listener) {
        listenersByType.putIfAbsent(type, new CopyOnWriteArrayList<>());
        listenersByType.getOrDefault(type, List.of()).add(listener);
    }

    final void removeListener(String type, Consumer<String> listener) {
        listenersByType.getOrDefault(type, List.of()).remove(listener);
    }

    /** Returns whether messages to this type are delivered without a claim. */
    final boolean hasListener(String type) {
        return !listenersByType.getOrDefault(type, List.of()).isEmpty();
    }

    /** Called by implementations after a change has been stored. */
    final void notifyReceivers(Write write) {
        for (NewMessage message : write.outgoing().messages()) {
            if (message.due() == 0) {
                notifyReceiver(message.type(), message.id());
            }
        }
    }

    /** Calls the listeners for an entity that has waiting messages. */
    final void notifyReceiver(String type, String id) {
        listenersByType.getOrDefault(type, List.of()).forEach(listener -> listener.accept(id));
    }

    /**
     * The stored state of an entity.
     *
     * @param revision the number of changes
     * @param version the number of events
     * @param state the bytes of the last stored state, or null if there is none; must not be modified
     * @param stateVersion the version of the state; later changes are events. 0 without a state
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Stored(long revision, long version, byte @Nullable [] state, long stateVersion) {}

    /** The stored state and version of an entity, and the first events after this state. */
    record StoredHistory(Stored entity, List<StoredEvent> events) {}

    /** An entity that is not stored. */
    static final Stored NOT_STORED = new Stored(0, 0, null, 0);

    /**
     * A stored event.
     *
     * @param version the version of the entity after the event
     * @param time the time at which it was stored, by the clock of the node
     * @param event its bytes; must not be modified
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record StoredEvent(long version, Instant time, byte[] event) {}

    /**
     * A message that waits for an entity.
     *
     * @param number identifies the message; the numbers of one sender to one receiver ascend
     * @param sender the type and id of the sender; null if it is not an entity, or if the message is a reminder
     * @param topic the topic to which the entity publishes the message; null for a message to the entity
     * @param isReminder whether it is a reminder, which another message may cancel
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record StoredMessage(
            long number, @Nullable String sender, @Nullable String topic, boolean isReminder, byte[] message) {}

    /**
     * The messages of an entity that {@link #messages} does not return.
     *
     * @param numbers identify messages
     * @param senders exclude all messages of these senders to the entity
     * @param topics exclude all publications to these topics
     */
    record Excluded(Set<Long> numbers, Set<String> senders, Set<String> topics) {

        static final Excluded NONE = new Excluded(Set.of(), Set.of(), Set.of());

        boolean contains(StoredMessage message) {
            return numbers.contains(message.number)
                    || (message.topic != null
                            ? topics.contains(message.topic)
                            : message.sender != null && senders.contains(message.sender));
        }
    }

    /** A stored reply; null if the entity replied with null. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record StoredReply(byte @Nullable [] reply) {}

    /**
     * A message to store.
     *
     * @param type the type of the entity that handles or publishes it
     * @param id the id of this entity
     * @param sender as in {@link StoredMessage}
     * @param topic as in {@link StoredMessage}
     * @param reminder the name of the reminder, or null
     * @param due the time from which the entity handles a reminder, in milliseconds since 1970; 0 for a message, which
     *     is handled at once
     * @param attempt the time from which {@link #claim} returns it, in milliseconds since 1970
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record NewMessage(
            String type,
            String id,
            @Nullable String sender,
            @Nullable String topic,
            @Nullable String reminder,
            long due,
            long attempt,
            byte[] message) {}

    /**
     * The waiting messages of a type.
     *
     * @param messages the number of messages and publications
     * @param reminders the number of due reminders
     */
    record Waiting(long messages, long reminders) {}

    /** Returns the time of the next attempt to deliver a message, in milliseconds since 1970. */
    static long nextAttempt(Instant now, int attempts) {
        Duration pause = Duration.ofSeconds(1L << Math.min(attempts, 6));
        return now.plus(pause.compareTo(MAX_PAUSE) < 0 ? pause : MAX_PAUSE).toEpochMilli();
    }
}
