package io.fibry.helidon;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** An HTTP/2 client with prior knowledge that sends frames as it is told, also malformed ones. */
final class Http2Client implements AutoCloseable {

    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int GOAWAY = 7;
    static final int CONTINUATION = 9;

    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;

    static final int COMPRESSION_ERROR = 9;
    static final int ENHANCE_YOUR_CALM = 11;

    /** The pseudo headers of {@code GET /} from {@code localhost}. */
    static final byte[] GET = bytes(0x82, 0x86, 0x84, 0x01, 9, 'l', 'o', 'c', 'a', 'l', 'h', 'o', 's', 't');

    /** The same of {@code POST /}. */
    static final byte[] POST = join(bytes(0x83), Arrays.copyOfRange(GET, 1, GET.length));

    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1);

    /** A status 200, as the first byte of a block of headers. */
    static final int OK = 0x88;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Frame(int type, int flags, int stream, byte[] payload) {
        int errorCode() {
            return ByteBuffer.wrap(payload).getInt(4);
        }
    }

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;

    Http2Client(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(60_000);
        in = new DataInputStream(socket.getInputStream());
        out = socket.getOutputStream();
        out.write(join(PREFACE, bytes(0, 0, 0, SETTINGS, 0, 0, 0, 0, 0)));
    }

    static byte[] bytes(int... values) {
        var bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    static byte[] join(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    /** A literal field; the first byte says whether it enters the table. */
    static byte[] literal(int first, String name, String value) {
        return join(bytes(first), string(name), string(value));
    }

    private static byte[] string(String text) {
        int length = text.length();
        byte[] content = text.getBytes(ISO_8859_1);
        if (length < 127) {
            return join(bytes(length), content);
        }
        var all = new ByteArrayOutputStream();
        all.write(127);
        for (length -= 127; length >= 128; length >>= 7) {
            all.write((length & 0x7F) | 0x80);
        }
        all.write(length);
        all.writeBytes(content);
        return all.toByteArray();
    }

    void frame(int type, int flags, int stream, byte[]... payload) throws IOException {
        byte[] content = join(payload);
        out.write(ByteBuffer.allocate(9 + content.length)
                .putInt(content.length << 8 | type)
                .put((byte) flags)
                .putInt(stream)
                .put(content)
                .array());
    }

    void raw(byte[] bytes) throws IOException {
        out.write(bytes);
    }

    /** Sends a request without a body. */
    void get(int stream, byte[]... block) throws IOException {
        frame(HEADERS, END_STREAM | END_HEADERS, stream, block);
    }

    Frame read() throws IOException {
        int lengthAndType = in.readInt();
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        return new Frame(lengthAndType & 0xFF, flags, stream, in.readNBytes(lengthAndType >>> 8));
    }

    /** The next frame of one of these types. */
    Frame await(int... types) throws IOException {
        while (true) {
            Frame frame = read();
            for (int type : types) {
                if (frame.type() == type) {
                    return frame;
                }
            }
        }
    }

    /** Everything until the end of the connection, as it is if the server does not speak HTTP/2. */
    String readAll() throws IOException {
        return new String(in.readAllBytes(), ISO_8859_1);
    }

    /** The first byte of the headers of the next response: {@link #OK}, or another index of the static table. */
    int status() throws IOException {
        Frame frame = await(HEADERS, GOAWAY);
        if (frame.type() == GOAWAY) {
            throw new IOException("GOAWAY with the code " + frame.errorCode());
        }
        return frame.payload()[0] & 0xFF;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
