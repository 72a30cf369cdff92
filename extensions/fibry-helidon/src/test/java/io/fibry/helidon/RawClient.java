package io.fibry.helidon;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/** A WebSocket client that sends single frames, including frames that a browser never sends. */
public final class RawClient implements AutoCloseable {

    static final int CONTINUATION = 0;
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Frame(int opcode, byte[] payload) {
        public String text() {
            return new String(payload, UTF_8);
        }

        int closeCode() {
            return ByteBuffer.wrap(payload).getShort();
        }
    }

    final String status;
    private final Socket socket = new Socket();
    private final DataInputStream in;
    private final OutputStream out;

    public RawClient(int port, String path) throws IOException {
        this(port, path, 64 * 1024);
    }

    /** The smaller the buffer, the earlier the server notices that this client does not read. */
    RawClient(int port, String path, int receiveBuffer) throws IOException {
        socket.setReceiveBufferSize(receiveBuffer);
        socket.setSoTimeout(60_000);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        in = new DataInputStream(socket.getInputStream());
        out = socket.getOutputStream();
        out.write(("GET " + path + " HTTP/1.1\r\nHost: localhost:" + port + "\r\nConnection: Upgrade\r\n"
                        + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
                .getBytes(ISO_8859_1));
        String head = head();
        status = head.substring(0, head.indexOf('\r'));
    }

    private String head() throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int b = in.read();
            if (b < 0) {
                throw new EOFException(head.toString());
            }
            head.append((char) b);
        }
        return head.toString();
    }

    public void text(String text) throws IOException {
        frame(TEXT, true, text.getBytes(UTF_8));
    }

    void frame(int opcode, boolean last, byte[] payload) throws IOException {
        out.write(bytes(opcode, last, payload));
    }

    /** A frame as it is on the wire. */
    static byte[] bytes(int opcode, boolean last, byte[] payload) {
        var frame = new ByteArrayOutputStream();
        frame.write((last ? 0x80 : 0) | opcode);
        if (payload.length < 126) {
            frame.write(0x80 | payload.length);
        } else if (payload.length < 1 << 16) {
            frame.write(0x80 | 126);
            frame.writeBytes(
                    ByteBuffer.allocate(2).putShort((short) payload.length).array());
        } else {
            frame.write(0x80 | 127);
            frame.writeBytes(ByteBuffer.allocate(8).putLong(payload.length).array());
        }
        byte[] mask = {1, 2, 3, 4};
        frame.writeBytes(mask);
        for (int i = 0; i < payload.length; i++) {
            frame.write(payload[i] ^ mask[i % 4]);
        }
        return frame.toByteArray();
    }

    void raw(byte[] bytes) throws IOException {
        out.write(bytes);
    }

    public void close(int code) throws IOException {
        frame(CLOSE, true, ByteBuffer.allocate(2).putShort((short) code).array());
    }

    public Frame read() throws IOException {
        int first = in.readUnsignedByte();
        long length = in.readUnsignedByte();
        if (length == 126) {
            length = in.readUnsignedShort();
        } else if (length == 127) {
            length = in.readLong();
        }
        return new Frame(first & 0xF, in.readNBytes((int) length));
    }

    /** The next frame that is no ping. */
    Frame readPastPings() throws IOException {
        Frame frame = read();
        while (frame.opcode() == PING) {
            frame = read();
        }
        return frame;
    }

    public boolean isAtEnd() throws IOException {
        try {
            return in.read() < 0;
        } catch (java.net.SocketException e) {
            return true; // reset
        }
    }

    /** Ends the connection without a close frame. */
    @Override
    public void close() throws IOException {
        socket.close();
    }
}
