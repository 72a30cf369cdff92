package io.fibry.helidon;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.http.http2.Http2ErrorCode;
import io.helidon.http.http2.Http2Exception;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The input of an HTTP/2 connection on its way to Helidon, which does not limit decompressed headers and keeps every
 * CONTINUATION frame. A block of headers is collected here, {@linkplain HpackInput checked}, and passed on in as few
 * frames as possible; other frames pass as they are. An {@link Http2Exception} reaches Helidon's connection, which
 * sends GOAWAY and ends. Runs on the thread of the connection.
 */
final class Http2Input implements Supplier<byte @Nullable []> {

    /**
     * How many streams a client may have. Helidon gets twice as many as its limit: it may count a stream for a
     * moment after the client has got the response, and refuses streams beyond the limit.
     */
    static final int MAX_STREAMS = 100;

    private static final int PREFACE = 24;
    private static final int HEAD = 9; // of a frame
    private static final int MAX_FRAME = 16 * 1024;
    private static final int MORE_FRAMES = 16; // than a block needs

    // Frames
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int CONTINUATION = 9;

    // Flags
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int PADDED = 8;
    private static final int PRIORITY = 32;

    private final DataReader in;
    private final DataWriter out;
    private final int maxHeaderBytes;
    private final HpackInput headers;
    private final Http2Bodies bodies;
    private boolean begun;
    private int unread; // of the payload of the current frame
    private int ending; // the stream whose last frame the current one is, or 0

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Frame(byte[] head, int type, int flags, int stream, int length) {}

    Http2Input(DataReader in, DataWriter out, int maxHeaderBytes, Http2Bodies bodies) {
        this.in = in;
        this.out = out;
        this.maxHeaderBytes = maxHeaderBytes;
        headers = new HpackInput(maxHeaderBytes);
        this.bodies = bodies;
    }

    /** Helidon reads further input when it has handled the frames that it has got. */
    @Override
    public byte @Nullable [] get() {
        try {
            if (ending != 0 && unread == 0) {
                bodies.complete(ending);
                ending = 0;
            }
            byte[] input = begun ? next() : begin();
            if (ending != 0 && unread == 0) {
                bodies.last(ending);
            }
            return input;
        } catch (DataReader.InsufficientDataAvailableException e) {
            return null;
        }
    }

    /** Helidon has written its settings before it reads the preface, and nothing else writes yet. */
    private byte[] begin() {
        begun = true;
        byte[] limit = ByteBuffer.allocate(HEAD + 6)
                .putInt(6 << 8 | SETTINGS)
                .put((byte) 0)
                .putInt(0)
                .putShort((short) 3) // MAX_CONCURRENT_STREAMS
                .putInt(MAX_STREAMS)
                .array();
        out.writeNow(BufferData.create(limit));
        return in.readBytes(PREFACE);
    }

    private byte[] next() {
        if (unread > 0) {
            in.ensureAvailable();
            int length = Math.min(unread, in.available());
            unread -= length;
            return in.readBytes(length);
        }
        Frame frame = readHead();
        return switch (frame.type()) {
            case HEADERS -> block(frame);
            case CONTINUATION -> throw new Http2Exception(Http2ErrorCode.PROTOCOL, "CONTINUATION without HEADERS");
            case RST_STREAM -> {
                byte[] payload = readPayload(frame);
                ending = frame.stream();
                yield whole(frame, payload);
            }
            default -> {
                unread = frame.length();
                ending = frame.type() == DATA && (frame.flags() & END_STREAM) != 0 ? frame.stream() : 0;
                yield frame.head();
            }
        };
    }

    private Frame readHead() {
        byte[] head = in.readBytes(HEAD);
        ByteBuffer b = ByteBuffer.wrap(head);
        int lengthAndType = b.getInt();
        int flags = b.get() & 0xFF;
        return new Frame(head, lengthAndType & 0xFF, flags, b.getInt() & Integer.MAX_VALUE, lengthAndType >>> 8);
    }

    private byte[] readPayload(Frame frame) {
        if (frame.length() > MAX_FRAME) {
            throw new Http2Exception(Http2ErrorCode.FRAME_SIZE, "A frame is too large");
        }
        return frame.length() == 0 ? BufferData.EMPTY_BYTES : in.readBytes(frame.length());
    }

    private static byte[] whole(Frame frame, byte[] payload) {
        return ByteBuffer.allocate(HEAD + payload.length)
                .put(frame.head())
                .put(payload)
                .array();
    }

    // ---- headers

    private byte[] block(Frame first) {
        var block = new ByteArrayOutputStream();
        addFragment(first, block);
        int more = 0;
        for (int flags = first.flags(); (flags & END_HEADERS) == 0; more++) {
            Frame frame = readHead();
            if (frame.type() != CONTINUATION || frame.stream() != first.stream()) {
                throw new Http2Exception(Http2ErrorCode.PROTOCOL, "A frame interrupts a block of headers");
            }
            if (more == MORE_FRAMES + maxHeaderBytes / MAX_FRAME || block.size() + frame.length() > maxHeaderBytes) {
                throw new Http2Exception(Http2ErrorCode.ENHANCE_YOUR_CALM, "A block of headers is too large");
            }
            block.writeBytes(readPayload(frame));
            flags = frame.flags();
        }
        byte[] frames = frames(first, headers.rewrite(block.toByteArray()));
        if ((first.flags() & END_STREAM) == 0) {
            bodies.begun(first.stream());
        } else {
            ending = first.stream(); // also with trailers
        }
        return frames;
    }

    /** Adds a frame without its padding and its priority, which RFC 9113 has abolished. */
    private void addFragment(Frame frame, ByteArrayOutputStream block) {
        byte[] payload = readPayload(frame);
        boolean padded = (frame.flags() & PADDED) != 0;
        int from = (padded ? 1 : 0) + ((frame.flags() & PRIORITY) == 0 ? 0 : 5);
        int to = payload.length - (padded && payload.length > 0 ? payload[0] & 0xFF : 0);
        if (from > to) {
            throw new Http2Exception(Http2ErrorCode.PROTOCOL, "The padding of headers is too long");
        }
        block.write(payload, from, to - from);
    }

    private static byte[] frames(Frame first, byte[] block) {
        int number = Math.max(1, (block.length + MAX_FRAME - 1) / MAX_FRAME);
        ByteBuffer frames = ByteBuffer.allocate(number * HEAD + block.length);
        for (int i = 0; i < number; i++) {
            int length = Math.min(MAX_FRAME, block.length - i * MAX_FRAME);
            int flags = (i == 0 ? first.flags() & END_STREAM : 0) | (i == number - 1 ? END_HEADERS : 0);
            frames.putInt(length << 8 | (i == 0 ? HEADERS : CONTINUATION))
                    .put((byte) flags)
                    .putInt(first.stream())
                    .put(block, i * MAX_FRAME, length);
        }
        return frames.array();
    }
}
