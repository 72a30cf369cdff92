package io.fibry.bench.net;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The processor time that a server takes for a large text message of a WebSocket. The server runs in a separate JVM and
 * answers with the length of the message, or echoes it. The first message of each JVM is cold. The other messages are
 * measured in groups of 32 MB, since the system counts processor time in steps of 10 ms. The result is the median of
 * the groups, of which the first ones warm up.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dbench=net.LargeWebSocketMessages -Dargs="fibry 16"}.
 * The arguments are the server, {@code fibry} or {@code helidon} alone, and the largest message in MB. A third argument
 * is the number of groups, 12 by default.
 */
final class LargeWebSocketMessages {

    private static final int MB = 1 << 20;
    private static final int GROUP_MB = 32;
    private static final int WHOLE = Integer.MAX_VALUE;

    /** A message of text, and the sizes of its frames. */
    private record Kind(String path, String text, int frame) {
        String name() {
            return path + (text.length() == 1 ? " ASCII" : " mixed") + (frame == WHOLE ? "" : " in frames of " + frame);
        }
    }

    private static final String MIXED = "Grüße, 世界! "; // with characters of one, two and three bytes

    private static final List<Kind> KINDS = List.of(
            new Kind("/length", "x", WHOLE),
            new Kind("/length", "x", 64 * 1024),
            new Kind("/length", "x", 1024),
            new Kind("/length", MIXED, WHOLE),
            new Kind("/echo", "x", WHOLE),
            new Kind("/echo", MIXED, WHOLE));

    private LargeWebSocketMessages() {}

    public static void main(String[] args) throws IOException {
        String server = args.length > 0 ? args[0] : "fibry";
        int largest = args.length > 1 ? Integer.parseInt(args[1]) : 16;
        int groups = args.length > 2 ? Integer.parseInt(args[2]) : 12;
        System.out.printf("%-36s %6s %12s %12s %12s%n", server, "MB", "cold ms", "ms", "ms per MB");
        for (Kind kind : KINDS) {
            for (int mb = 1; mb <= largest; mb *= 2) {
                try (Child child = Child.start(WebSocketServers.class, List.of("-Xmx1g"), server)) {
                    measure(child, kind, mb, groups);
                }
            }
        }
    }

    private static void measure(Child server, Kind kind, int mb, int groups) throws IOException {
        byte[] message = message(kind, mb * MB);
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), (int) server.number("port"))) {
            socket.setTcpNoDelay(true);
            IdleWebSockets.upgrade(socket, kind.path());
            var in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 64 * 1024));
            double cold = millis(server, socket.getOutputStream(), in, message, 1);
            List<Double> millis = new ArrayList<>();
            for (int group = 0; group < groups; group++) {
                millis.add(millis(server, socket.getOutputStream(), in, message, Math.max(1, GROUP_MB / mb)));
            }
            double warm = median(millis.subList(groups / 3, groups));
            System.out.printf("%-36s %6d %,12.0f %,12.1f %,12.2f%n", kind.name(), mb, cold, warm, warm / mb);
        }
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }

    /** The server's processor time per message. It answers only after it has read the whole message. */
    private static double millis(Child server, OutputStream out, DataInputStream in, byte[] message, int messages)
            throws IOException {
        long before = server.number("cpu");
        for (int i = 0; i < messages; i++) {
            out.write(message);
            skipMessage(in);
        }
        return (server.number("cpu") - before) / 1e6 / messages;
    }

    /** The bytes of a message, masked with zeros, which the protocol permits. */
    private static byte[] message(Kind kind, int bytes) {
        byte[] text = kind.text().getBytes(UTF_8);
        byte[] payload = new byte[bytes];
        Arrays.fill(payload, (byte) 'x'); // so that no character is divided at the end
        for (int at = 0; at + text.length <= bytes; at += text.length) {
            System.arraycopy(text, 0, payload, at, text.length);
        }
        int frames = (bytes - 1) / kind.frame() + 1;
        ByteBuffer message = ByteBuffer.allocate(bytes + 14 * frames);
        for (int at = 0; at < bytes; at += kind.frame()) {
            int length = Math.min(kind.frame(), bytes - at);
            boolean last = length == bytes - at;
            message.put((byte) ((last ? 0x80 : 0) | (at == 0 ? 1 : 0)));
            if (length < 1 << 16) {
                message.put((byte) 0xFE).putShort((short) length);
            } else {
                message.put((byte) 0xFF).putLong(length);
            }
            message.putInt(0).put(payload, at, length);
            if (last) {
                break; // the next position may overflow
            }
        }
        return Arrays.copyOf(message.array(), message.position());
    }

    /** Skips frames, up to the last one of a message. */
    private static void skipMessage(DataInputStream in) throws IOException {
        int first;
        do {
            first = in.readUnsignedByte();
            long length = in.readUnsignedByte();
            if (length == 126) {
                length = in.readUnsignedShort();
            } else if (length == 127) {
                length = in.readLong();
            }
            if ((first & 0xF) == 8) {
                throw new IOException("the server has closed the WebSocket with " + in.readUnsignedShort());
            }
            in.skipNBytes(length);
        } while (first < 0x80 || (first & 0xF) > 2); // parts of a message, and pings
    }
}
