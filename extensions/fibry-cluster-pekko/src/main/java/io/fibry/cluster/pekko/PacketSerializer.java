package io.fibry.cluster.pekko;

import io.fibry.cluster.pekko.Fence.Moment;
import io.fibry.cluster.pekko.Packet.Answer;
import io.fibry.cluster.pekko.Packet.Contact;
import io.fibry.cluster.pekko.Packet.Ping;
import io.fibry.cluster.pekko.Packet.Pong;
import io.fibry.cluster.pekko.Packet.Published;
import io.fibry.cluster.pekko.Packet.Shards;
import io.fibry.cluster.pekko.Packet.ToEntity;
import io.fibry.cluster.pekko.Packet.Types;
import java.io.NotSerializableException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.pekko.serialization.ByteBufferSerializer;
import org.apache.pekko.serialization.SerializerWithStringManifest;

/**
 * Serializes a {@link Packet}: first the fields of fixed size, then each array with its length. Pekko finds this class
 * by name.
 */
public final class PacketSerializer extends SerializerWithStringManifest implements ByteBufferSerializer {

    private static final int IDENTIFIER = 740_311; // as in cluster.conf; never persisted
    private static final int MOST_FIXED = 64;
    private static final int MOST_UTF_8 = 3; // bytes per char

    /** Called by Pekko. */
    public PacketSerializer() {}

    @Override
    public int identifier() {
        return IDENTIFIER;
    }

    @Override
    public String manifest(Object packet) {
        return switch ((Packet) packet) {
            case ToEntity toEntity -> "m";
            case Answer answer -> "a";
            case Ping ping -> "i";
            case Pong pong -> "o";
            case Types types -> "t";
            case Shards shards -> "s";
            case Contact contact -> "c";
            case Published published -> "p";
        };
    }

    @Override
    public byte[] toBinary(Object packet) {
        int size = MOST_FIXED
                + switch ((Packet) packet) {
                    case ToEntity m ->
                        m.message.length + MOST_UTF_8 * (m.type.length() + m.key.length() + m.asker.length());
                    case Answer a -> a.content.length;
                    case Ping ping -> 0;
                    case Pong pong -> 0;
                    case Contact contact -> 0;
                    case Published p -> p.message.length + MOST_UTF_8 * p.topic.length();
                    case Shards shards ->
                        MOST_UTF_8 * shards.type().length() + shards.owned().length() / Byte.SIZE + 1;
                    case Types types ->
                        types.hosted().stream()
                                .mapToInt(type -> Integer.BYTES + MOST_UTF_8 * type.length())
                                .sum();
                };
        ByteBuffer buffer = ByteBuffer.allocate(size);
        toBinary(packet, buffer);
        byte[] bytes = new byte[buffer.position()];
        buffer.flip().get(bytes);
        return bytes;
    }

    @Override
    public void toBinary(Object packet, ByteBuffer buffer) {
        switch ((Packet) packet) {
            case ToEntity m -> {
                buffer.putChar(m.kind.code).putInt(m.shard).putLong(m.ask);
                buffer.putLong(m.millisLeft()).putInt(m.resends);
                put(buffer, m.type.getBytes(StandardCharsets.UTF_8));
                put(buffer, m.key.getBytes(StandardCharsets.UTF_8));
                put(buffer, m.asker.getBytes(StandardCharsets.UTF_8));
                put(buffer, m.message);
            }
            case Answer a -> {
                buffer.putChar(a.outcome.code).putLong(a.ask);
                put(buffer, a.content);
            }
            case Ping ping -> put(buffer.putLong(ping.asker()), ping.sentAt());
            case Pong pong -> {
                put(buffer.putLong(pong.answerer()), pong.sentAt());
                put(buffer, pong.member());
            }
            case Contact contact -> {
                buffer.putLong(contact.node()).putLong(contact.cluster()).putLong(contact.formedAt());
                put(put(buffer, contact.established()), contact.answer());
            }
            case Published published -> {
                put(buffer, published.topic.getBytes(StandardCharsets.UTF_8));
                put(buffer, published.message);
            }
            case Shards shards -> {
                buffer.putLong(shards.node());
                put(buffer, shards.type().getBytes(StandardCharsets.UTF_8));
                put(buffer, shards.owned().toByteArray());
            }
            case Types types -> {
                buffer.putLong(types.node()).putInt(types.hosted().size());
                types.hosted().forEach(type -> put(buffer, type.getBytes(StandardCharsets.UTF_8)));
            }
        }
    }

    @Override
    public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
        return fromBinary(ByteBuffer.wrap(bytes), manifest);
    }

    @Override
    public Object fromBinary(ByteBuffer buffer, String manifest) throws NotSerializableException {
        try {
            return switch (manifest) {
                case "m" -> message(buffer);
                case "a" -> answer(buffer);
                case "i" -> new Ping(buffer.getLong(), moment(buffer));
                case "o" -> new Pong(buffer.getLong(), moment(buffer), flag(buffer));
                case "c" ->
                    new Contact(buffer.getLong(), buffer.getLong(), buffer.getLong(), flag(buffer), flag(buffer));
                case "t" -> types(buffer);
                case "p" -> new Published(new String(take(buffer), StandardCharsets.UTF_8), take(buffer));
                case "s" ->
                    new Shards(
                            buffer.getLong(),
                            new String(take(buffer), StandardCharsets.UTF_8),
                            BitSet.valueOf(take(buffer)));
                default -> throw new NotSerializableException("unknown kind of packet: " + manifest);
            };
        } catch (BufferUnderflowException | IndexOutOfBoundsException | NegativeArraySizeException e) {
            var invalid = new NotSerializableException("invalid packet");
            invalid.initCause(e);
            throw invalid;
        }
    }

    private static ToEntity message(ByteBuffer buffer) throws NotSerializableException {
        ToEntity.Kind kind = kind(buffer.getChar());
        int shard = buffer.getInt();
        long ask = buffer.getLong();
        long timeoutMillis = buffer.getLong();
        int resends = buffer.getInt();
        String type = new String(take(buffer), StandardCharsets.UTF_8);
        String key = new String(take(buffer), StandardCharsets.UTF_8);
        String asker = new String(take(buffer), StandardCharsets.UTF_8);
        return new ToEntity(type, kind, shard, key, take(buffer), asker, ask, timeoutMillis, resends);
    }

    private static Answer answer(ByteBuffer buffer) throws NotSerializableException {
        Answer.Outcome outcome = outcome(buffer.getChar());
        long ask = buffer.getLong();
        return new Answer(ask, outcome, take(buffer));
    }

    private static Types types(ByteBuffer buffer) {
        long node = buffer.getLong();
        int count = buffer.getInt();
        List<String> hosted = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            hosted.add(new String(take(buffer), StandardCharsets.UTF_8));
        }
        return new Types(node, List.copyOf(hosted));
    }

    private static ToEntity.Kind kind(char code) throws NotSerializableException {
        for (ToEntity.Kind kind : ToEntity.Kind.values()) {
            if (kind.code == code) {
                return kind;
            }
        }
        throw new NotSerializableException("unknown kind of message: " + code);
    }

    private static Answer.Outcome outcome(char code) throws NotSerializableException {
        for (Answer.Outcome outcome : Answer.Outcome.values()) {
            if (outcome.code == code) {
                return outcome;
            }
        }
        throw new NotSerializableException("unknown outcome: " + code);
    }

    private static void put(ByteBuffer buffer, Moment moment) {
        buffer.putLong(moment.nanos()).putLong(moment.millis());
    }

    private static Moment moment(ByteBuffer buffer) {
        return new Moment(buffer.getLong(), buffer.getLong());
    }

    private static ByteBuffer put(ByteBuffer buffer, boolean flag) {
        return buffer.put((byte) (flag ? 1 : 0));
    }

    private static boolean flag(ByteBuffer buffer) {
        return buffer.get() != 0;
    }

    private static void put(ByteBuffer buffer, byte[] bytes) {
        buffer.putInt(bytes.length).put(bytes);
    }

    private static byte[] take(ByteBuffer buffer) {
        int length = buffer.getInt();
        if (length > buffer.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        buffer.get(bytes);
        return bytes;
    }
}
