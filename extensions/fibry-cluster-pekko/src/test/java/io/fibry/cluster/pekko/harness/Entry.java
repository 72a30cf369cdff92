package io.fibry.cluster.pekko.harness;

/**
 * A line of a journal: an event on a node.
 *
 * @param time {@link System#nanoTime}: on Linux the processes of a machine share this clock, which orders events of
 * several processes
 * @param node the node that has written it
 * @param instance the entity instance of the event; 0 if none
 * @param key the key of the entity; "-" if none
 * @param sender the sender of the message; "-" if the event concerns no message
 * @param sequence the position of the message among the messages of its sender to this key
 * @param id differs for all messages and instances of a run
 * @param text details, without blanks; "-" if none
 */
public record Entry(
        Kind kind,
        long time,
        String node,
        long instance,
        String key,
        String sender,
        long sequence,
        long id,
        String text) {

    /** The kind of event. */
    public enum Kind {
        /** An instance of an entity has begun. */
        BEGIN,
        /** A handler begins a message. */
        HANDLE,
        /** A handler was interrupted. */
        INTERRUPTED,
        /** An instance of an entity has ended. */
        END,
        /** A tell is about to be called; {@link #REFUSED} follows if it throws. */
        SENT,
        /** An ask is about to be called; its outcome follows. */
        ASKED,
        /** The message has been refused. */
        REFUSED,
        /** The ask has received its reply; the text is the count. */
        ANSWERED,
        /** The ask has failed, and it is unknown whether the message was handled. */
        FAILED,
        /** The ask has reached its time limit. */
        EXPIRED,
        /** The node has been removed from the cluster. */
        REMOVED
    }

    static Entry ofInstance(Kind kind, String node, long instance, String key) {
        return new Entry(kind, System.nanoTime(), node, instance, key, "-", 0, 0, "-");
    }

    static Entry ofHandler(Kind kind, String node, long instance, Message message) {
        return new Entry(
                kind,
                System.nanoTime(),
                node,
                instance,
                message.key(),
                message.sender(),
                message.sequence(),
                message.id(),
                "-");
    }

    static Entry ofSender(Kind kind, String node, Message message, String text) {
        return new Entry(
                kind,
                System.nanoTime(),
                node,
                0,
                message.key(),
                message.sender(),
                message.sequence(),
                message.id(),
                text);
    }

    String line() {
        return kind + " " + time + " " + node + " " + instance + " " + key + " " + sender + " " + sequence + " " + id
                + " " + text + "\n";
    }

    static Entry parse(String line) {
        String[] parts = line.split(" ", -1);
        if (parts.length != 9) {
            throw new IllegalArgumentException("not a line of a journal: " + line);
        }
        return new Entry(
                Kind.valueOf(parts[0]),
                Long.parseLong(parts[1]),
                parts[2],
                Long.parseLong(parts[3]),
                parts[4],
                parts[5],
                Long.parseLong(parts[6]),
                Long.parseLong(parts[7]),
                parts[8]);
    }
}
