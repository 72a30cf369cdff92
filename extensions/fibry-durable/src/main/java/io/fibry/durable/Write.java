package io.fibry.durable;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change of an entity, stored atomically.
 *
 * @param revision the expected revision; 0 for a new entity
 * @param version the number of events before the change
 * @param events the new events; each of them increments the version
 * @param state the state after the change, or null if it is not stored
 * @param outgoing messages, reminders and a reply, and the messages that the change handles
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Write(
        String type,
        String id,
        long revision,
        long version,
        List<byte[]> events,
        byte @Nullable [] state,
        Outgoing outgoing) {

    Write(
            String type,
            String id,
            long revision,
            long version,
            List<byte[]> events,
            byte @Nullable [] state,
            Outgoing outgoing) {
        this.type = type;
        this.id = id;
        this.revision = revision;
        this.version = version;
        this.events = List.copyOf(events);
        this.state = state;
        this.outgoing = outgoing;
        if (revision < 0 || version < 0) {
            throw new IllegalArgumentException("neither may be negative: " + revision + ", " + version);
        }
        if (events.isEmpty() && state == null && outgoing.isEmpty()) {
            throw new IllegalArgumentException("the change is empty");
        }
    }

    /** Returns the version after the change. */
    long newVersion() {
        return version + events.size();
    }

    /** Returns the number of bytes that are stored. */
    long size() {
        return (state == null ? 0 : state.length)
                + events.stream().mapToLong(event -> event.length).sum()
                + outgoing.size();
    }
}
