package io.fibry.cluster.pekko;

import java.util.concurrent.atomic.AtomicBoolean;

/** What the nodes send to each other. {@link PacketSerializer} has the bytes. */
sealed interface Packet {

    /** A message on its way to an entity, by way of the shard of its key. */
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
        final String asker; // the node that asks, as in the address of its actors; empty if the message is no ask
        final long ask; // which ask of that node
        final long timeoutMillis;
        final int resends;

        /** Pekko may report an object twice that it could not deliver. The first report counts. */
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

        /** True for the first caller. */
        boolean isUndelivered() {
            return undelivered.compareAndSet(false, true);
        }

        ToEntity again() {
            return new ToEntity(type, kind, shard, key, message, asker, ask, timeoutMillis, resends + 1);
        }
    }

    /** The end of an ask. */
    final class Answer implements Packet {

        /** How it ended. The content is the encoded reply if it succeeded, else text. */
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

    /** Asks another node whether this one is still a member. Each start of a node has an identity of its own. */
    record Ping(long asker, Fence.Moment sentAt) implements Packet {}

    /** The answer, with the identity of the node that gives it. */
    record Pong(long answerer, Fence.Moment sentAt, boolean member) implements Packet {}
}
