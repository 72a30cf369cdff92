package io.fibry.cluster.pekko.harness;

/**
 * A line of a journal: something that has happened on a node.
 *
 * @param time {@link System#nanoTime}: on Linux the processes of a machine share it, so it orders what happens in several of them
 * @param node the node that has written it
 * @param instance the entity in memory that it is about; 0 if none
 * @param key the key of the entity; "-" if none
 * @param sender who sends the message; "-" if it is about no message
 * @param sequence the place of the message among those of its sender to this key
 * @param id differs for all messages and instances of a run
 * @param text more about it, without blanks; "-" if none
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

    /** What has happened. */
    public enum Kind {
        /** An instance of an entity has begun. */
        BEGIN,
        /** A handler begins a message. */
        HANDLE,
        /** A handler was interrupted. */
        INTERRUPTED,
        /** An instance of an entity has ended. */
        END,
        /** A tell is about to be called; {@link #REFUSED} follows if it threw. */
        SENT,
        /** An ask is about to be called; its outcome follows. */
        ASKED,
        /** The message has been refused. */
        REFUSED,
        /** The ask has its reply; the text is its count. */
        ANSWERED,
        /** The ask has failed, and it is unknown whether the message was handled. */
        FAILED,
        /** The ask has reached its time limit. */
        EXPIRED,
        /** The node is no longer a part of the cluster. */
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
