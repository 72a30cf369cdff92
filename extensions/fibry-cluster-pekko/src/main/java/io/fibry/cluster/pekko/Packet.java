package io.fibry.cluster.pekko;

import java.util.concurrent.atomic.AtomicBoolean;

/** A message between nodes. {@link PacketSerializer} defines its format. */
sealed interface Packet {

    /** A message to an entity, routed through the shard of its key. */
    final class ToEntity implements Packet {

        /** The kinds of messages. */
        enum Kind {
            TELL('t'),
            ASK('a'),
            /** Ends the entity. */
            END('e');

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
        final long timeoutMillis;
        final int resends;

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
            this.timeoutMillis = timeoutMillis;
            this.resends = resends;
        }

        /** Marks the packet as undelivered. Returns true to the first caller only. */
        boolean isUndelivered() {
            return undelivered.compareAndSet(false, true);
        }

        ToEntity again() {
            return new ToEntity(type, kind, shard, key, message, asker, ask, timeoutMillis, resends + 1);
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
}
