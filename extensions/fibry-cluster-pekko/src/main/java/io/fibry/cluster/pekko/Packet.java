package io.fibry.cluster.pekko;

import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A message between nodes. {@link PacketSerializer} defines its format. */
sealed interface Packet {

    /** A message to an entity, routed through the shard of its key. */
    final class ToEntity implements Packet {

        private static final long NANOS_PER_MILLI = 1_000_000;
        private static final long MOST_MILLIS = Long.MAX_VALUE / 2 / NANOS_PER_MILLI;

        /** The kinds of messages. */
        enum Kind {
            TELL('t'),
            ASK('a'),
            /** Ends the entity. */
            END('e'),
            /** Starts a singleton. It is sent repeatedly, so it is never redelivered. */
            START('b');

            final char code;

            Kind(char code) {
                this.code = code;
            }
        }

        final String type;
        final Kind kind;
        final int shard;
        final String key;
        final byte[] message;
        final String asker; // the asking node as system@host:port; empty if the message is not an ask
        final long ask; // the id of the ask on the asking node
        final int resends;

        /** The time at which the asker's timeout expires, as of {@link System#nanoTime}; 0 if the message is no ask. */
        private final long deadline;

        /** Set by the first report. Pekko may report an undelivered object twice. */
        private final AtomicBoolean undelivered = new AtomicBoolean();

        ToEntity(
                String type,
                Kind kind,
                int shard,
                String key,
                byte[] message,
                String asker,
                long ask,
                long timeoutMillis,
                int resends) {
            this.type = type;
            this.kind = kind;
            this.shard = shard;
            this.key = key;
            this.message = message;
            this.asker = asker;
            this.ask = ask;
            this.resends = resends;
            deadline = kind != Kind.ASK
                    ? 0
                    : System.nanoTime() + Math.clamp(timeoutMillis, 0, MOST_MILLIS) * NANOS_PER_MILLI;
        }

        /** Marks the packet as undelivered. Returns true to the first caller only. */
        boolean isUndelivered() {
            return undelivered.compareAndSet(false, true);
        }

        ToEntity again() {
            return new ToEntity(type, kind, shard, key, message, asker, ask, millisLeft(), resends + 1);
        }

        /**
         * Returns the time until the asker's timeout, at least 0; 0 if the message is not an ask. A packet carries this
         * time instead of a deadline, because the clocks of two nodes differ. It includes the waits on each node, but
         * not the time on the network.
         */
        long millisLeft() {
            return kind != Kind.ASK ? 0 : Math.max(0, (deadline - System.nanoTime()) / NANOS_PER_MILLI);
        }

        /** Returns whether the message is an ask that has already timed out. */
        boolean isLate() {
            return kind == Kind.ASK && millisLeft() == 0;
        }
    }

    /** The outcome of an ask. */
    final class Answer implements Packet {

        /** The kind of outcome. The content is the encoded reply for {@code REPLIED}, and a text otherwise. */
        enum Outcome {
            REPLIED('r'),
            FAILED('f'),
            MAILBOX_FULL('m'),
            STOPPED('s'),
            NOT_DECODED('d');

            final char code;

            Outcome(char code) {
                this.code = code;
            }
        }

        final long ask;
        final Outcome outcome;
        final byte[] content;

        Answer(long ask, Outcome outcome, byte[] content) {
            this.ask = ask;
            this.outcome = outcome;
            this.content = content;
        }
    }

    /** Asks another node whether this node is still a member. Each start of a node gets a new identity. */
    record Ping(long asker, Fence.Moment sentAt) implements Packet {}

    /** The answer, with the identity of the answering node. */
    record Pong(long answerer, Fence.Moment sentAt, boolean member) implements Packet {}

    /** Announces the types of entities that a node hosts. */
    record Types(long node, List<String> hosted) implements Packet {}

    /**
     * Tells a seed, or the node that has contacted this one, which cluster the sender belongs to.
     *
     * @param node the identity of the node that sends it first
     * @param cluster the identity of its cluster; 0 if it is not a member
     * @param formedAt the wall-clock time at which that cluster was formed, in milliseconds
     * @param established whether it is established and the sender may report it; see {@link SeedActor}
     * @param answer whether the sender expects no answer
     */
    record Contact(long node, long cluster, long formedAt, boolean established, boolean answer) implements Packet {

        Contact asAnswer() {
            return new Contact(node, cluster, formedAt, established, true);
        }
    }

    /** A message of a topic. */
    final class Published implements Packet {
        final String topic;
        final byte[] message;

        Published(String topic, byte[] message) {
            this.topic = topic;
            this.message = message;
        }
    }

    /** Announces the shards of a type that a node owns. */
    record Shards(long node, String type, BitSet owned) implements Packet {}
}
