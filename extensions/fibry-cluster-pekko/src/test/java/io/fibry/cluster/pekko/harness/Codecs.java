package io.fibry.cluster.pekko.harness;

import io.fibry.codec.Codec;
import io.fibry.codec.CodecException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * The codecs of the tests. One message can be encoded but not decoded, like a message from a node with another list of
 * types. Version 2 of the program adds a field to messages and replies, which version 1 ignores.
 */
final class Codecs {

    private static final int MESSAGE = 1;
    private static final int ODD = 2;
    private static final int REPLY = 3;
    private static final String ADDED = "added by version 2";

    private Codecs() {}

    static Codec<Message> messages(int version) {
        return new Plain<>() {
            @Override
            void write(Message message, DataOutput out) throws IOException {
                out.writeByte(message.odd() ? ODD : MESSAGE);
                out.writeUTF(message.key());
                out.writeUTF(message.sender());
                out.writeLong(message.sequence());
                out.writeLong(message.id());
                out.writeInt(message.work());
                writeAdded(version, out);
            }

            @Override
            Message read(DataInputStream in) throws IOException {
                expect(MESSAGE, in);
                var message =
                        new Message(in.readUTF(), in.readUTF(), in.readLong(), in.readLong(), in.readInt(), false);
                readAdded(version, in);
                return message;
            }
        };
    }

    static Codec<Reply> replies(int version) {
        return new Plain<>() {
            @Override
            void write(Reply reply, DataOutput out) throws IOException {
                out.writeByte(REPLY);
                out.writeUTF(reply.node());
                out.writeLong(reply.instance());
                out.writeLong(reply.count());
                writeAdded(version, out);
            }

            @Override
            Reply read(DataInputStream in) throws IOException {
                expect(REPLY, in);
                var reply = new Reply(in.readUTF(), in.readLong(), in.readLong());
                readAdded(version, in);
                return reply;
            }
        };
    }

    private static void expect(int type, DataInput in) throws IOException {
        int found = in.readByte();
        if (found != type) {
            throw new CodecException("type " + found + " is not " + type, null);
        }
    }

    private static void writeAdded(int version, DataOutput out) throws IOException {
        if (version > 1) {
            out.writeUTF(ADDED);
        }
    }

    /** The field is missing in bytes of version 1. */
    private static void readAdded(int version, DataInputStream in) throws IOException {
        if (version > 1 && in.available() > 0 && !in.readUTF().equals(ADDED)) {
            throw new CodecException("the added field has another value", null);
        }
    }

    private abstract static class Plain<T> implements Codec<T> {

        abstract void write(T message, DataOutput out) throws IOException;

        abstract T read(DataInputStream in) throws IOException;

        @Override
        public byte[] encode(T message) {
            var bytes = new ByteArrayOutputStream();
            try {
                write(message, new DataOutputStream(bytes));
            } catch (IOException e) {
                throw new CodecException("cannot be encoded: " + message, e);
            }
            return bytes.toByteArray();
        }

        @Override
        public T decode(byte[] bytes) {
            try {
                return read(new DataInputStream(new ByteArrayInputStream(bytes)));
            } catch (IOException e) {
                throw new CodecException("cannot be decoded", e);
            }
        }
    }
}
