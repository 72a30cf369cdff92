package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PacketSerializerTest {

    private static final List<Packet> PACKETS = List.of(
            new ToEntity("cart", ToEntity.Kind.TELL, 7, "user-42", new byte[] {1, 2, 3}, "", 0, 0, 0),
            new ToEntity(
                    "cart",
                    ToEntity.Kind.ASK,
                    59,
                    "\u00fc\u20ac\ud83d\ude00",
                    new byte[0],
                    "shop@node-1:7001",
                    Long.MAX_VALUE,
                    3_000_000,
                    5),
            new ToEntity("t", ToEntity.Kind.END, 0, "k", new byte[0], "", 0, 0, 0),
            new ToEntity("t", ToEntity.Kind.START, 0, "k", new byte[0], "", 0, 0, 0),
            new Answer(42, Answer.Outcome.REPLIED, new byte[300]),
            new Answer(-1, Answer.Outcome.NOT_DECODED, new byte[] {65}),
            new Ping(1, new Moment(-2, 5)),
            new Pong(3, new Moment(4, 6), true),
            new Pong(3, new Moment(4, 6), false),
            new Types(3, List.of()),
            new Types(3, List.of("cart", "\u00fc.1")),
            new Published("news", new byte[] {4, 5}),
            new Published("", new byte[0]),
            new Shards(3, "cart", BitSet.valueOf(new long[] {0, 1L << 62, 5})),
            new Shards(3, "cart", new BitSet()),
            new Contact(3, 4, 5, true, false),
            new Contact(3, 0, Long.MAX_VALUE, false, true));

    private final PacketSerializer serializer = new PacketSerializer();

    @Test
    void theDecodedValueEqualsTheEncodedValue() throws Exception {
        for (Packet packet : PACKETS) {
            Object read = serializer.fromBinary(serializer.toBinary(packet), serializer.manifest(packet));
            switch (packet) {
                case ToEntity m -> {
                    ToEntity r = (ToEntity) read;
                    assertEquals(
                            List.of(m.type, m.kind, m.shard, m.key, m.asker, m.ask, m.resends),
                            List.of(r.type, r.kind, r.shard, r.key, r.asker, r.ask, r.resends));
                    assertEquals(m.millisLeft() > 0, r.millisLeft() > 0);
                    assertTrue(r.millisLeft() <= 3_000_000);
                    assertArrayEquals(m.message, r.message);
                }
                case Answer a -> {
                    Answer r = (Answer) read;
                    assertEquals(List.of(a.ask, a.outcome), List.of(r.ask, r.outcome));
                    assertArrayEquals(a.content, r.content);
                }
                case Ping ping -> assertEquals(ping, read);
                case Pong pong -> assertEquals(pong, read);
                case Types types -> assertEquals(types, read);
                case Contact contact -> assertEquals(contact, read);
                case Shards shards -> assertEquals(shards, read);
                case Published p -> {
                    Published r = (Published) read;
                    assertEquals(p.topic, r.topic);
                    assertArrayEquals(p.message, r.message);
                }
            }
        }
    }

    @Test
    void otherBytesAreRefused() {
        var random = new Random(1);
        for (Packet packet : PACKETS) {
            byte[] bytes = serializer.toBinary(packet);
            String manifest = serializer.manifest(packet);
            for (int length = 0; length < bytes.length; length++) {
                byte[] part = Arrays.copyOf(bytes, length);
                assertThrows(NotSerializableException.class, () -> serializer.fromBinary(part, manifest));
            }
            for (int i = 0; i < 2_000; i++) {
                byte[] changed = bytes.clone();
                changed[random.nextInt(changed.length)] = (byte) random.nextInt();
                try {
                    Object unused = serializer.fromBinary(changed, manifest);
                } catch (NotSerializableException e) {
                    assertEquals(NotSerializableException.class, e.getClass()); // and no other exception
                }
            }
        }
        assertThrows(NotSerializableException.class, () -> serializer.fromBinary(new byte[9], "x"));
    }
}
