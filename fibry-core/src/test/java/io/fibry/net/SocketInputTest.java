package io.fibry.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SocketInputTest {

    private static final byte[] DATA = new byte[50_000];

    static {
        new Random(1).nextBytes(DATA);
    }

    private final SocketInput input = new SocketInput(new ConnectionActivity(() -> false, false));

    private SocketInput over(InputStream source) {
        input.attach(source);
        return input;
    }

    /** Returns at most this number of bytes at a time, as sockets do, and fails when it is read after its close. */
    private static InputStream inPieces(byte[] data, int most) {
        return new ByteArrayInputStream(data) {
            private boolean closed;

            @Override
            public synchronized int read(byte[] b, int off, int len) {
                if (closed) {
                    throw new IllegalStateException("closed");
                }
                return super.read(b, off, Math.min(len, most));
            }

            @Override
            public void close() {
                closed = true;
            }
        };
    }

    @Test
    void readsByteByByte() throws IOException {
        over(inPieces(DATA, 700));
        for (byte b : DATA) {
            assertEquals(b & 0xff, input.read());
        }
        assertEquals(-1, input.read());
    }

    @Test
    void readsInAnyMixtureOfWays() throws IOException {
        for (int seed = 0; seed < 200; seed++) {
            var random = new Random(seed);
            var input = new SocketInput(new ConnectionActivity(() -> false, false));
            input.attach(inPieces(DATA, 1 + random.nextInt(6000)));
            var seen = new ByteArrayOutputStream();
            boolean more = true;
            while (more) {
                more = readSome(input, random, seen);
            }
            assertArrayEquals(DATA, seen.toByteArray(), "seed " + seed);
        }
    }

    private static boolean readSome(InputStream input, Random random, ByteArrayOutputStream seen) throws IOException {
        int way = random.nextInt(4);
        if (way == 0) {
            int b = input.read();
            if (b >= 0) {
                seen.write(b);
            }
            return b >= 0;
        }
        if (way == 1) {
            seen.write(DATA, seen.size(), (int) input.skip(random.nextInt(3000)));
            return true;
        }
        if (way == 2) {
            seen.writeBytes(input.readNBytes(Math.min(input.available(), random.nextInt(100))));
            return true;
        }
        byte[] target = new byte[1 + random.nextInt(10_000)];
        int offset = random.nextInt(target.length);
        int n = input.read(target, offset, target.length - offset);
        if (n > 0) {
            seen.write(target, offset, n);
        }
        return n >= 0;
    }

    @Test
    void aLargeReadBypassesTheBuffer() throws IOException {
        byte[] target = new byte[DATA.length];
        assertEquals(DATA.length, over(new ByteArrayInputStream(DATA)).read(target));
        assertArrayEquals(DATA, target);
    }

    @Test
    void followsTheRulesOfInputStreams() throws IOException {
        over(inPieces(DATA, 10));
        assertEquals(0, input.read(new byte[0]));
        assertThrows(IndexOutOfBoundsException.class, () -> input.read(new byte[3], 2, 2));
        assertEquals(DATA[0] & 0xff, input.read());
        assertEquals(DATA.length - 1, input.available());
        assertEquals(0, input.skip(-1));
        assertEquals(9, input.skip(100)); // the content of the buffer
    }

    @Test
    void bufferedDataIsDiscardedByTheClose() throws IOException {
        over(inPieces(DATA, 10));
        assertEquals(DATA[0] & 0xff, input.read());
        input.close();
        assertThrows(IllegalStateException.class, input::read);
    }

    @Test
    void aFailedReadLeavesNoBytesThatWereReadBefore() throws IOException {
        over(inPieces(new byte[] {1, 2}, 10));
        assertEquals(1, input.read());
        assertEquals(2, input.read());
        var closed = InputStream.nullInputStream();
        closed.close();
        input.attach(closed);
        assertThrows(IOException.class, input::read);
        assertThrows(IOException.class, input::read);
    }

    @FunctionalInterface
    private interface Read {
        long from(InputStream in) throws IOException;
    }

    /** Bytes that a handler reads after its answer belong to the next request, whether they were buffered or not. */
    @Test
    void bufferedBytesThatAreReadAfterAnAnswerAreUnanswered() throws IOException {
        List<Read> reads = List.of(in -> in.read(), in -> in.read(new byte[1]), in -> in.skip(1));
        for (Read next : reads) {
            var activity = new ConnectionActivity(() -> true, false);
            var input = new SocketInput(activity);
            input.attach(new ByteArrayInputStream(new byte[] {1, 2}));
            assertEquals(1, input.read());
            assertFalse(answer(activity));
            long unused = next.from(input);
            assertTrue(activity.beginRead(), "a read for the rest of the request may wait");
            activity.endRead(-1);
            assertFalse(answer(activity));
            assertFalse(activity.beginRead(), "an idle connection has to end");
        }
    }

    private static boolean answer(ConnectionActivity activity) {
        activity.beginWrite();
        return activity.endWrite();
    }

    @Test
    void theEndIsReportedManyTimesBeforeAnException() throws IOException {
        over(InputStream.nullInputStream());
        for (int i = 0; i < 500; i++) {
            assertEquals(-1, input.read());
            assertEquals(-1, input.read(new byte[5000]));
        }
        assertThrows(EOFException.class, input::read);
    }
}
